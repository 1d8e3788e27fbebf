// Marks of points: drawn once, coloured by their material.
import { CanvasTexture } from 'three';
import { el } from './dom.js';

const textures = new Map<string, CanvasTexture>();

function mark(name: string, draw: (context: CanvasRenderingContext2D) => void): CanvasTexture {
  let texture = textures.get(name);
  if (!texture) {
    const canvas = el('canvas', { width: '64', height: '64' });
    const context = canvas.getContext('2d');
    if (context) {
      context.fillStyle = context.strokeStyle = '#fff';
      context.lineWidth = 10;
      draw(context);
    }
    texture = new CanvasTexture(canvas);
    textures.set(name, texture);
  }
  return texture;
}

export const ring = (): CanvasTexture => mark('ring', (c) => {
  c.beginPath();
  c.arc(32, 32, 24, 0, 2 * Math.PI);
  c.stroke();
});
export const disc = (): CanvasTexture => mark('disc', (c) => {
  c.beginPath();
  c.arc(32, 32, 28, 0, 2 * Math.PI);
  c.fill();
});
export const square = (): CanvasTexture => mark('square', (c) => c.strokeRect(11, 11, 42, 42));
