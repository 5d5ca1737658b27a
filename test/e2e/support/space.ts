import type { FrameLocator, Locator } from '../../vscode/browser.mjs';
import { cellOfUnit, layOutGrid, type Stretch } from '../../../webview/space/space-grid';

/** What the map leaves free around its cells, in pixels. */
const margin = 3;

/** The space view inside a webview, by what a person sees in it. */
export class SpacePage {
  constructor(readonly frame: FrameLocator) {}

  async open(): Promise<void> {
    await this.frame.getByRole('tab', { name: 'Space', exact: true }).click();
    await this.map.waitFor();
  }

  get map(): Locator {
    return this.frame.locator('.map');
  }

  get legend(): Locator {
    return this.frame.locator('fsimg-space-legend');
  }

  /** The middle of the cell that holds a unit while the whole volume is shown, in pixels. */
  async placeOf(unit: number, whole: Stretch): Promise<{ x: number; y: number }> {
    const [width, height] = await this.map.evaluate((area) => [
      area.clientWidth,
      area.clientHeight,
    ]);
    const area = { width: width - 2 * margin, height: height - 2 * margin };
    const grid = layOutGrid(area, whole.units);
    const cell = cellOfUnit(whole, grid.cells, unit);
    return {
      x: margin + ((cell % grid.columns) + 0.5) * grid.pitch,
      y: margin + (Math.floor(cell / grid.columns) + 0.5) * grid.pitch,
    };
  }

  /** The colour of the map at a place. */
  colourAt(place: { x: number; y: number }): Promise<string> {
    return colourAt(this.map.locator('canvas'), place);
  }

  /**
   * The colour by which the legend explains what is looked for.
   * @param from how far left of and above the middle, where a pattern has another colour there
   */
  swatch(look: string, from = 0): Promise<string> {
    const place = { x: 7 - from, y: 7 - from };
    return colourAt(this.legend.locator(`[data-swatch=${look}]`), place);
  }
}

/** The planner of a preallocation or a trim, which lies in the space view. */
export class PlannerPage {
  readonly region: Locator;

  constructor(frame: FrameLocator, title: 'Preallocate' | 'Trim') {
    this.region = frame.getByRole('region', { name: title });
  }

  async type(field: 'length' | 'offset' | 'minimum', size: string): Promise<void> {
    await this.region.locator(`.plan-${field} input`).fill(size);
  }

  /** What the plan says under a heading, once the plan for what is typed is there. */
  async fact(name: string): Promise<string> {
    await this.region.locator('.plan[aria-busy=false]').waitFor();
    const value = this.region.locator(`dt:text-is(${JSON.stringify(name)}) + dd`);
    return (await value.innerText()).trim();
  }

  /** Extents and fragments that a policy would come to. */
  async policy(name: string): Promise<number[]> {
    const cells = await this.region.locator(`tr[data-policy=${name}] td`).allInnerTexts();
    return cells.map(count);
  }

  async choose(policy: string): Promise<void> {
    await this.region.locator(`tr[data-policy=${policy}] input`).check();
  }

  /** First unit and length of each planned extent. */
  async extents(): Promise<[first: number, length: number][]> {
    const rows = await this.region.locator('.planned-extents tbody tr').all();
    const cells = await Promise.all(rows.map((row) => row.locator('td').allInnerTexts()));
    return cells.map(([first, length]) => [count(first), count(length)]);
  }

  async cancel(): Promise<void> {
    await this.region.getByRole('button', { name: 'Cancel' }).click();
    await this.region.waitFor({ state: 'detached' });
  }

  get applies(): Locator {
    return this.region.getByRole('button', { name: 'Apply' });
  }

  async apply(): Promise<void> {
    await this.applies.click();
    await this.region.waitFor({ state: 'detached' });
  }
}

/** The colour of a pixel of a canvas. */
function colourAt(canvas: Locator, { x, y }: { x: number; y: number }): Promise<string> {
  return canvas.evaluate(
    (element, at) =>
      (element as HTMLCanvasElement)
        .getContext('2d')
        ?.getImageData(at.x, at.y, 1, 1)
        .data.join(' ') ?? '',
    { x: Math.floor(x), y: Math.floor(y) },
  );
}

const count = (text: string) => Number(text.trim().replaceAll(',', ''));
