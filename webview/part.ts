import { LitElement } from 'lit';
import { property } from 'lit/decorators.js';
import type { Inspection } from './inspection/inspection';

/**
 * A component of the inspector. It renders into the page's own tree: one style sheet reaches all
 * of them, and so does VS Code when it looks for the context of a menu.
 */
export abstract class Part extends LitElement {
  protected override createRenderRoot(): HTMLElement {
    return this;
  }
}

/** A component that shows something of the image, and is drawn anew when that changes. */
export abstract class InspectionPart extends Part {
  @property({ attribute: false }) inspection!: Inspection;

  private readonly redraw = () => this.requestUpdate();

  override connectedCallback(): void {
    super.connectedCallback();
    this.inspection.addEventListener('change', this.redraw);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.inspection.removeEventListener('change', this.redraw);
  }
}
