// A canvas with a camera that is turned by mouse, touch and keys. Drawn when something has changed.
import {
  AmbientLight, Box3, BufferGeometry, Color, DirectionalLight, DoubleSide, Float32BufferAttribute, Group, type Material, Mesh,
  MeshLambertMaterial, Object3D, PerspectiveCamera, Plane, Raycaster, Scene, Sprite, SpriteMaterial, Vector2, Vector3,
  WebGLRenderer,
} from 'three';
import { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js';
import { LineMaterial } from 'three/examples/jsm/lines/LineMaterial.js';
import { LineSegments2 } from 'three/examples/jsm/lines/LineSegments2.js';
import { LineSegmentsGeometry } from 'three/examples/jsm/lines/LineSegmentsGeometry.js';
import { el } from './dom.js';
import { markTexture, type MarkName } from './marks.js';
import { colours, onTheme, type ColourName } from './theme.js';

export interface Label {
  element: HTMLElement;
  position: Vector3;
}

/** What can be dragged: its position, and what to do where it is moved to. */
export interface Handle {
  position: Vector3;
  move(position: Vector3): void;
}

function cornersOf(box: Box3): Vector3[] {
  const { min, max } = box;
  return [min.x, max.x].flatMap((x) => [min.y, max.y].flatMap((y) => [min.z, max.z].map((z) => new Vector3(x, y, z))));
}

interface Coloured {
  material: { color: Color };
  name: ColourName;
}

export class View3D {
  readonly scene = new Scene();
  readonly camera = new PerspectiveCamera(35, 1, 0.01, 100);
  readonly canvas = el('canvas', { class: 'view3d', tabindex: '0', role: 'img' });
  readonly labels: Label[] = [];
  readonly handles: Handle[] = [];
  controls: OrbitControls | null = null;
  /** False: this browser cannot draw in three dimensions; all else works. */
  readonly works: boolean;
  onHover: (handle: Handle | null) => void = () => {};
  beforeRender: () => void = () => {};

  readonly #root: HTMLElement;
  readonly #labels = el('div', { class: 'labels' });
  readonly #renderer: WebGLRenderer | null = null;
  readonly #observer: ResizeObserver;
  readonly #stopTheme: () => void;
  readonly #coloured: Coloured[] = [];
  readonly #materials = new Map<string, Material>();
  #lines = new Set<LineMaterial>();
  #pending = 0;
  #fitted: { points: Vector3[]; toward: Vector3 } | null = null;
  #held: { handle: Handle; plane: Plane; offset: Vector3 } | null = null;

  constructor(root: HTMLElement, label: string) {
    this.#root = root;
    this.canvas.setAttribute('aria-label', label);
    root.append(this.canvas, this.#labels);
    try {
      this.#renderer = new WebGLRenderer({ canvas: this.canvas, antialias: true });
    } catch {
      root.append(el('p', { class: 'notice' }, 'This browser does not offer WebGL: the picture is missing, the answers are not.'));
    }
    // To ask for errors waits for the compiler of the driver.
    if (this.#renderer) this.#renderer.debug.checkShaderErrors = false;
    this.works = this.#renderer !== null;
    this.camera.position.set(2.2, 1.6, 2.8);
    // Before the controls: what begins on a handle must not turn the camera as well.
    this.canvas.addEventListener('pointerdown', (event) => this.#press(event));
    if (this.#renderer) {
      this.controls = new OrbitControls(this.camera, this.canvas);
      this.controls.addEventListener('change', () => this.render());
      this.controls.addEventListener('start', () => this.releaseCamera());
    }
    this.canvas.addEventListener('pointermove', (event) => this.#drag(event));
    for (const name of ['pointerup', 'pointercancel'] as const) this.canvas.addEventListener(name, () => this.#release());
    const sun = new DirectionalLight(0xffffff, 2.2);
    sun.position.set(0.6, 1, 0.8);
    this.camera.add(sun);
    this.scene.add(this.camera, new AmbientLight(0xffffff, 1.3));
    this.#observer = new ResizeObserver(() => this.#resize());
    this.#observer.observe(root);
    this.#stopTheme = onTheme(() => this.#recolour());
    this.#resize();
  }

  /** Soon, once, however often it is asked for. */
  render(): void {
    if (this.#pending === 0) this.#pending = requestAnimationFrame(() => this.renderNow());
  }
  renderNow(): void {
    if (this.#pending !== 0) cancelAnimationFrame(this.#pending);
    this.#pending = 0;
    this.beforeRender();
    const pixel = 2 * Math.tan(this.camera.fov * Math.PI / 360) / Math.max(this.#root.clientHeight, 1);
    this.scene.traverse((object) => {
      const pixels: unknown = object.userData['pixels'];
      if (typeof pixels === 'number') object.scale.setScalar(pixels * pixel);
    });
    this.#renderer?.render(this.scene, this.camera);
    this.#placeLabels();
  }

  // Kept as long as the view: a program is compiled again when the last material that uses it is gone.
  #material<M extends Material>(key: string, make: () => M): M {
    const kept = this.#materials.get(key) ?? make();
    this.#materials.set(key, kept);
    return kept as M;
  }
  /** A material that keeps the named colour when the theme changes. */
  coloured<M extends { color: Color }>(material: M, name: ColourName): M {
    this.#coloured.push({ material, name });
    material.color.set(colours()[name]);
    return material;
  }
  /** Thick lines: pairs of points. */
  lines(points: number[], colour: ColourName, width: number, options: { opacity?: number; dashed?: boolean; dash?: number; onTop?: boolean } = {}): LineSegments2 {
    const geometry = new LineSegmentsGeometry();
    geometry.setPositions(points.length > 0 ? points : [0, 0, 0, 0, 0, 0]);
    const dash = options.dash ?? 0.03;
    const material = this.#material(`lines ${colour} ${width} ${JSON.stringify(options)}`, () => {
      const made = this.coloured(new LineMaterial({
        linewidth: width, transparent: true, opacity: options.opacity ?? 1, dashed: options.dashed ?? false, dashSize: dash,
        gapSize: dash * 0.8, depthTest: !options.onTop,
      }), colour);
      this.#lines.add(made);
      made.resolution.set(this.#root.clientWidth || 1, this.#root.clientHeight || 1);
      return made;
    });
    const lines = new LineSegments2(geometry, material);
    lines.visible = points.length > 0;
    lines.frustumCulled = false;
    if (options.dashed) lines.computeLineDistances();
    return lines;
  }
  setLines(lines: LineSegments2, points: number[]): void {
    lines.visible = points.length > 0;
    if (points.length === 0) return;
    // Its buffers keep their size: as many segments, or a new geometry.
    const old = lines.geometry;
    lines.geometry = new LineSegmentsGeometry();
    lines.geometry.setPositions(points);
    old.dispose();
    if (lines.material.dashed) lines.computeLineDistances();
  }
  /** A surface of triangles. */
  surface(positions: ArrayLike<number>, faces: ArrayLike<number> | null, colour: ColourName, opacity = 1): Mesh<BufferGeometry, MeshLambertMaterial> {
    const geometry = new BufferGeometry();
    geometry.setAttribute('position', new Float32BufferAttribute(Float32Array.from(positions), 3));
    if (faces) geometry.setIndex(Array.from(faces));
    geometry.computeVertexNormals();
    const material = this.#material(`surface ${colour} ${opacity}`, () => this.coloured(new MeshLambertMaterial({
      side: DoubleSide, transparent: opacity < 1, opacity, flatShading: true, polygonOffset: true, polygonOffsetFactor: 1,
      polygonOffsetUnits: 1, depthWrite: opacity >= 1,
    }), colour));
    return new Mesh(geometry, material);
  }
  /** A mark of so many pixels, whatever the distance. */
  mark(name: MarkName, position: Vector3, pixels: number, colour: ColourName, order = 1): Sprite {
    const sprite = new Sprite(this.#material(`mark ${name} ${colour}`, () => this.coloured(new SpriteMaterial({
      map: markTexture(name), sizeAttenuation: false, depthTest: false, transparent: true,
    }), colour)));
    sprite.position.copy(position);
    sprite.renderOrder = order;
    sprite.userData['pixels'] = pixels;
    return sprite;
  }
  label(text: string, position: Vector3, kind = ''): Label {
    const label = { element: el('span', { class: `label ${kind}` }, text), position };
    this.labels.push(label);
    this.#labels.append(label.element);
    return label;
  }

  /** Looks at all of the box, or of the points, from that direction; again when the picture changes its size, until the
   *  camera is turned by hand. */
  fit(what: Box3 | Vector3[], direction?: Vector3): void {
    const toward = (direction ?? this.camera.position.clone().sub(this.controls?.target ?? new Vector3())).normalize();
    const points = what instanceof Box3 ? cornersOf(what) : what;
    this.#fitted = { points: points.length > 0 ? points : [new Vector3()], toward };
    this.#refit();
    this.render();
  }
  #refit(): void {
    if (!this.#fitted) return;
    const { points, toward } = this.#fitted;
    const right = new Vector3().crossVectors(this.camera.up, toward).normalize();
    const above = new Vector3().crossVectors(toward, right);
    const vertical = Math.tan(this.camera.fov * Math.PI / 360);
    const horizontal = vertical * this.camera.aspect;
    const centre = new Box3().setFromPoints(points).getCenter(new Vector3());
    let distance = 10;
    // A few rounds of: put what is seen in the middle, and come as near as leaves a margin around it.
    for (let round = 0; round < 8; ++round) {
      const seen = { x: [Infinity, -Infinity], y: [Infinity, -Infinity] };
      let nearest = 1e-3;
      for (const point of points) {
        const p = point.clone().sub(centre);
        const depth = Math.max(distance - p.dot(toward), 1e-3);
        const [x, y] = [p.dot(right) / depth / horizontal, p.dot(above) / depth / vertical];
        seen.x = [Math.min(seen.x[0]!, x), Math.max(seen.x[1]!, x)];
        seen.y = [Math.min(seen.y[0]!, y), Math.max(seen.y[1]!, y)];
        nearest = Math.max(nearest, p.dot(toward));
      }
      const [dx, dy] = [(seen.x[0]! + seen.x[1]!) / 2, (seen.y[0]! + seen.y[1]!) / 2];
      centre.addScaledVector(right, dx * horizontal * distance).addScaledVector(above, dy * vertical * distance);
      const half = Math.max(seen.x[1]! - seen.x[0]!, seen.y[1]! - seen.y[0]!) / 2;
      distance = Math.max(distance * half / 0.8, nearest * 1.2, 0.05);
    }
    this.camera.position.copy(centre).addScaledVector(toward, distance);
    this.camera.near = distance / 1000;
    this.camera.far = distance * 100;
    this.camera.updateProjectionMatrix();
    if (this.controls) {
      this.controls.target.copy(centre);
      this.controls.update();
    } else this.camera.lookAt(centre);
  }
  /** The camera is somebody else's from here on. */
  releaseCamera(): void {
    this.#fitted = null;
  }
  /** Removes what has been added; materials stay for what comes next. */
  empty(group: Group): void {
    // Marks have one geometry in common.
    group.traverse((object: Object3D) => (object instanceof Sprite ? undefined : (object as Partial<Mesh>).geometry?.dispose()));
    group.clear();
  }
  clearLabels(): void {
    for (const label of this.labels) label.element.remove();
    this.labels.length = 0;
  }
  /** Where a point is on the canvas, in pixels of the page. */
  project(position: Vector3): { x: number; y: number; behind: boolean } {
    const p = position.clone().project(this.camera);
    return {
      x: (p.x + 1) / 2 * this.#root.clientWidth, y: (1 - p.y) / 2 * this.#root.clientHeight, behind: p.z > 1 || p.z < -1,
    };
  }
  dispose(): void {
    if (this.#pending !== 0) cancelAnimationFrame(this.#pending);
    this.#observer.disconnect();
    this.#stopTheme();
    this.controls?.dispose();
    for (const material of this.#materials.values()) material.dispose();
    this.#renderer?.dispose();
    this.#renderer?.forceContextLoss();
    this.#root.replaceChildren();
  }

  #resize(): void {
    const width = Math.max(this.#root.clientWidth, 1);
    const height = Math.max(this.#root.clientHeight, 1);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    this.#renderer?.setPixelRatio(Math.min(devicePixelRatio, 3));
    this.#renderer?.setSize(width, height, false);
    for (const material of this.#lines) material.resolution.set(width, height);
    this.#refit();
    // At once: a resized canvas is empty until it is drawn.
    this.renderNow();
  }
  #recolour(): void {
    const palette = colours();
    this.scene.background = new Color(palette.ground);
    for (const { material, name } of this.#coloured) material.color.set(palette[name]);
    this.render();
  }
  #placeLabels(): void {
    for (const { element, position } of this.labels) {
      const { x, y, behind } = this.project(position);
      element.hidden = behind;
      element.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
    }
  }

  // --- Handles ---

  #pointer(event: PointerEvent): { x: number; y: number } {
    const box = this.canvas.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  }
  #handleAt(event: PointerEvent): Handle | null {
    const at = this.#pointer(event);
    const reach = event.pointerType === 'touch' ? 26 : 13;
    let best: Handle | null = null;
    let nearest = reach;
    for (const handle of this.handles) {
      const p = this.project(handle.position);
      const distance = Math.hypot(p.x - at.x, p.y - at.y);
      if (p.behind || distance >= nearest) continue;
      best = handle;
      nearest = distance;
    }
    return best;
  }
  #onPlane(event: PointerEvent, plane: Plane): Vector3 | null {
    const at = this.#pointer(event);
    const ray = new Raycaster();
    ray.setFromCamera(new Vector2(at.x / this.#root.clientWidth * 2 - 1, 1 - at.y / this.#root.clientHeight * 2), this.camera);
    return ray.ray.intersectPlane(plane, new Vector3());
  }
  #press(event: PointerEvent): void {
    const handle = event.button === 0 ? this.#handleAt(event) : null;
    if (!handle) return;
    // The plane through the handle that faces the camera.
    const plane = new Plane().setFromNormalAndCoplanarPoint(this.camera.getWorldDirection(new Vector3()), handle.position);
    const start = this.#onPlane(event, plane);
    if (!start) return;
    this.#held = { handle, plane, offset: handle.position.clone().sub(start) };
    if (this.controls) this.controls.enabled = false;
    this.canvas.setPointerCapture(event.pointerId);
    event.preventDefault();
  }
  #drag(event: PointerEvent): void {
    if (!this.#held) {
      if (event.buttons === 0) {
        const handle = this.#handleAt(event);
        this.canvas.style.cursor = handle ? 'grab' : '';
        this.onHover(handle);
      }
      return;
    }
    const point = this.#onPlane(event, this.#held.plane);
    if (point) this.#held.handle.move(point.add(this.#held.offset));
    this.canvas.style.cursor = 'grabbing';
  }
  #release(): void {
    this.#held = null;
    if (this.controls) this.controls.enabled = true;
    this.canvas.style.cursor = '';
  }
}
