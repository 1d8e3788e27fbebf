// Marks of points: drawn once, coloured by their material.
import { CanvasTexture } from 'three';
import { el } from './dom.js';

export type MarkName = 'ring' | 'disc' | 'square';

const DRAW: Record<MarkName, (context: CanvasRenderingContext2D) => void> = {
  ring: (c) => {
    c.beginPath();
    c.arc(32, 32, 24, 0, 2 * Math.PI);
    c.stroke();
  },
  disc: (c) => {
    c.beginPath();
    c.arc(32, 32, 28, 0, 2 * Math.PI);
    c.fill();
  },
  square: (c) => c.strokeRect(11, 11, 42, 42),
};
const textures = new Map<MarkName, CanvasTexture>();

export function markTexture(name: MarkName): CanvasTexture {
  let texture = textures.get(name);
  if (!texture) {
    const canvas = el('canvas', { width: '64', height: '64' });
    const context = canvas.getContext('2d');
    if (context) {
      context.fillStyle = context.strokeStyle = '#fff';
      context.lineWidth = 10;
      DRAW[name](context);
    }
    texture = new CanvasTexture(canvas);
    textures.set(name, texture);
  }
  return texture;
}
