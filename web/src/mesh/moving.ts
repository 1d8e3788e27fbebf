// Surfaces, edges and points whose vertices move along straight lines: both ends are in the memory of the
// graphics card, and the time is one number, so that a step of the slider costs no more than a picture.
import {
  Box3, BufferAttribute, BufferGeometry, Color, DoubleSide, Group, LineSegments, Mesh, Points, ShaderMaterial, Vector3,
} from 'three';
import type { View3D } from '../scene.js';
import { colours, onTheme, type ColourName } from '../theme.js';
import { coarseFaces, FEW_TRIANGLES } from './coarse.js';

const VERTEX = /* glsl */ `
  attribute vec3 finish;
  attribute float value;
  uniform float time;
  uniform float size;
  varying vec3 at;
  varying vec2 shown; // value, and whether there is one
  void main() {
    vec4 eye = modelViewMatrix * vec4(mix(position, finish, time), 1.0);
    at = eye.xyz;
    shown = value >= 0.0 ? vec2(min(value, 1.0), 1.0) : vec2(0.0);
    gl_Position = projectionMatrix * eye;
    gl_PointSize = size;
  }`;
// From dark violet (0) over red to yellow (1): lightness rises throughout, and no red is told from green.
export const SCALE = 'linear-gradient(to right, rgb(66 13 107), rgb(219 77 61), rgb(250 219 64))';
const FRAGMENT = /* glsl */ `
  uniform vec3 plain;
  uniform float opacity;
  uniform float lit;
  uniform float mapped;
  varying vec3 at;
  varying vec2 shown;
  vec3 scale(float x) {
    vec3 low = mix(vec3(0.26, 0.05, 0.42), vec3(0.86, 0.30, 0.24), clamp(2.0 * x, 0.0, 1.0));
    return mix(low, vec3(0.98, 0.86, 0.25), clamp(2.0 * x - 1.0, 0.0, 1.0));
  }
  void main() {
    // Between a vertex that has a value and one that has none the colour fades; the value does not.
    vec3 colour = mapped > 0.5 ? mix(plain, scale(shown.x / max(shown.y, 1e-4)), shown.y) : plain;
    if (lit > 0.5) {
      vec3 normal = normalize(cross(dFdx(at), dFdy(at)));
      colour *= 0.35 + 0.75 * abs(dot(normal, normalize(vec3(0.35, 0.5, 0.8))));
    }
    gl_FragColor = vec4(colour, opacity);
    #include <colorspace_fragment>
  }`;

export interface LookOptions {
  opacity?: number;
  lit?: boolean;
  mapped?: boolean;
  size?: number;
  onTop?: boolean;
}

function drawsInSoftware(canvas: HTMLCanvasElement): boolean {
  const gl = canvas.getContext('webgl2');
  const names = gl?.getExtension('WEBGL_debug_renderer_info');
  return !gl || (names !== null && names !== undefined
    && /swiftshader|llvmpipe|softpipe|software|basic render/i.test(String(gl.getParameter(names.UNMASKED_RENDERER_WEBGL))));
}
/** By asking for one pixel of it. */
function waitForPicture(canvas: HTMLCanvasElement): void {
  const gl = canvas.getContext('webgl2');
  gl?.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4));
}

type Part = Mesh | LineSegments | Points;

/** Vertices at the start and at the end, and whatever is drawn of them. */
export class MovingVertices {
  readonly group = new Group();
  /** Of the picture: (position - centre) * scale. */
  readonly centre = new Vector3();
  readonly scale: number;
  /** Of the picture, around all positions. */
  readonly box: Box3;
  readonly #start: BufferAttribute;
  readonly #finish: BufferAttribute;
  readonly #value: BufferAttribute;
  readonly #parts: { part: Part; material: ShaderMaterial; colour: ColourName; time: number | null }[] = [];
  readonly #stopTheme: () => void;
  #surface: { whole: Mesh; coarse: Mesh } | null = null;
  #settled = 0;
  #isSlow: boolean | null = null;
  #time = 0;

  /** `around`: positions that the picture must hold, too. */
  constructor(start: ArrayLike<number>, end: ArrayLike<number>, around: ArrayLike<number> = []) {
    const low = [Infinity, Infinity, Infinity];
    const high = [-Infinity, -Infinity, -Infinity];
    for (const list of [start, end, around]) {
      for (let i = 0; i < list.length; ++i) {
        const x = list[i]!;
        const axis = i % 3;
        if (x < low[axis]!) low[axis] = x;
        if (x > high[axis]!) high[axis] = x;
      }
    }
    const extent = Math.max(high[0]! - low[0]!, high[1]! - low[1]!, high[2]! - low[2]!);
    this.scale = extent > 0 && Number.isFinite(extent) ? 2 / extent : 1;
    if (Number.isFinite(extent)) this.centre.set((low[0]! + high[0]!) / 2, (low[1]! + high[1]!) / 2, (low[2]! + high[2]!) / 2);
    this.box = Number.isFinite(extent)
      ? new Box3(new Vector3(...(this.#moved(low) as unknown as [number, number, number])), new Vector3(...(this.#moved(high) as unknown as [number, number, number])))
      : new Box3(new Vector3(-1, -1, -1), new Vector3(1, 1, 1));
    this.#start = new BufferAttribute(this.#moved(start), 3);
    this.#finish = end === start ? this.#start : new BufferAttribute(this.#moved(end), 3);
    this.#value = new BufferAttribute(new Float32Array(start.length / 3).fill(-1), 1);
    this.#stopTheme = onTheme(() => this.#recolour());
  }

  get count(): number {
    return this.#start.count;
  }
  get time(): number {
    return this.#time;
  }
  set time(time: number) {
    this.#time = time;
    for (const { material, time: fixed } of this.#parts) material.uniforms['time']!.value = fixed ?? time;
  }
  /** Of each vertex in [0, 1] for the scale of colours; below 0: none. */
  setValues(values: ArrayLike<number>): void {
    (this.#value.array as Float32Array).set(values);
    this.#value.needsUpdate = true;
  }
  /** Other positions, at rest: frames of a run. */
  setPositions(positions: ArrayLike<number>): void {
    (this.#start.array as Float32Array).set(this.#moved(positions));
    this.#start.needsUpdate = true;
  }
  /** In the picture, now. */
  position(vertex: number, to = new Vector3()): Vector3 {
    const t = this.#time;
    return to.set(
      this.#start.getX(vertex) * (1 - t) + this.#finish.getX(vertex) * t,
      this.#start.getY(vertex) * (1 - t) + this.#finish.getY(vertex) * t,
      this.#start.getZ(vertex) * (1 - t) + this.#finish.getZ(vertex) * t);
  }

  /** One of very many triangles is drawn coarsely while something moves: see disturb(). */
  surface(faces: Uint32Array, colour: ColourName, options: LookOptions = {}): void {
    const add = (indices: Uint32Array): Mesh =>
      this.#add(new Mesh(this.#geometry(indices), this.#material({ lit: true, mapped: true, ...options })), colour, null);
    const whole = add(faces);
    if (faces.length / 3 > FEW_TRIANGLES) this.#surface = { whole, coarse: add(coarseFaces(this.#start.array, faces)) };
    this.#showWhole(false);
  }
  get isLarge(): boolean {
    return this.#surface !== null;
  }
  /**
   * Something has changed: whatever is drawn now must come soon. When it has settled, all of it is drawn, unless that
   * takes so long that the next change would have to wait.
   */
  disturb(scene: View3D): void {
    if (!this.#surface) return;
    this.#showWhole(false);
    clearTimeout(this.#settled);
    this.#isSlow ??= drawsInSoftware(scene.canvas);
    if (!this.#isSlow) this.#settled = window.setTimeout(() => this.drawWhole(scene), 800);
  }
  /** However long it takes. */
  drawWhole(scene: View3D): void {
    const begin = performance.now();
    this.#showWhole(true);
    scene.renderNow();
    waitForPicture(scene.canvas);
    this.#isSlow ||= performance.now() - begin > 400;
  }
  /** Pairs of vertices; of a fixed time, or of the time of the slider. */
  lines(pairs: Uint32Array, colour: ColourName, options: LookOptions = {}, time: number | null = null): LineSegments {
    return this.#add(new LineSegments(this.#geometry(pairs), this.#material(options)), colour, time);
  }
  points(vertices: Uint32Array, colour: ColourName, options: LookOptions = {}): Points {
    return this.#add(new Points(this.#geometry(vertices), this.#material({ size: 7, ...options })), colour, null);
  }
  setIndex(part: Part, indices: Uint32Array): void {
    part.geometry.setIndex(new BufferAttribute(indices, 1));
    part.visible = indices.length > 0;
  }
  dispose(): void {
    clearTimeout(this.#settled);
    this.#stopTheme();
    for (const { part, material } of this.#parts) {
      part.geometry.dispose();
      material.dispose();
    }
  }

  #showWhole(whole: boolean): void {
    if (!this.#surface) return;
    this.#surface.whole.visible = whole;
    this.#surface.coarse.visible = !whole;
  }
  #moved(list: ArrayLike<number>): Float32Array {
    const { x, y, z } = this.centre;
    const centre = [x, y, z];
    const result = new Float32Array(list.length);
    for (let i = 0; i < list.length; ++i) result[i] = (list[i]! - centre[i % 3]!) * this.scale;
    return result;
  }
  #geometry(indices: Uint32Array): BufferGeometry {
    const geometry = new BufferGeometry();
    geometry.setAttribute('position', this.#start);
    geometry.setAttribute('finish', this.#finish);
    geometry.setAttribute('value', this.#value);
    geometry.setIndex(new BufferAttribute(indices, 1));
    return geometry;
  }
  #material(options: LookOptions): ShaderMaterial {
    const opacity = options.opacity ?? 1;
    return new ShaderMaterial({
      vertexShader: VERTEX, fragmentShader: FRAGMENT, side: DoubleSide, transparent: opacity < 1, depthWrite: opacity >= 1,
      depthTest: !options.onTop, polygonOffset: options.lit ?? false, polygonOffsetFactor: 1, polygonOffsetUnits: 1,
      uniforms: {
        time: { value: this.#time }, size: { value: options.size ?? 1 }, plain: { value: new Color() }, opacity: { value: opacity },
        lit: { value: options.lit ? 1 : 0 }, mapped: { value: options.mapped ? 1 : 0 },
      },
    });
  }
  #add<P extends Part>(part: P, colour: ColourName, time: number | null): P {
    const material = part.material as ShaderMaterial;
    this.#parts.push({ part, material, colour, time });
    material.uniforms['time']!.value = time ?? this.#time;
    material.uniforms['plain']!.value.set(colours()[colour]);
    // Positions of the shader are not those of the attribute: nothing to cull by.
    part.frustumCulled = false;
    part.visible = part.geometry.index!.count > 0;
    this.group.add(part);
    return part;
  }
  #recolour(): void {
    for (const { material, colour } of this.#parts) material.uniforms['plain']!.value.set(colours()[colour]);
  }
}
