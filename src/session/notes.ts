const noteLimit = 1000;

/** Sentences on what was done otherwise than asked, as many as a person reads. */
export class Notes {
  private readonly kept: string[] = [];
  private dropped = 0;

  add(note: string): void {
    if (this.kept.length < noteLimit) this.kept.push(note);
    else this.dropped += 1;
  }

  get sentences(): string[] {
    const more = this.dropped > 0 ? [`There are ${this.dropped} more notes like these.`] : [];
    return [...this.kept, ...more];
  }
}
