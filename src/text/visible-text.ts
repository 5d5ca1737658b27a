/**
 * How text is shown that an image holds: whoever made the image chose it. Shown as it is, some of
 * it would hide, reorder or break up what stands around it.
 */

/**
 * Characters without a glyph of their own: controls, format characters (bidirectional overrides
 * among them), line separators, halves of surrogate pairs. The joiners U+200C and U+200D stay:
 * Persian words and emoji are spelt with them.
 */
const invisible = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** The text with a visible symbol in place of each character that has none: `␀`, `‹U+202E›`. */
export function visibleText(text: string): string {
  return text.replace(invisible, (character) => {
    const code = character.codePointAt(0) ?? 0;
    // Unicode has pictures of the ASCII controls.
    if (code < 0x20) return String.fromCodePoint(0x2400 + code);
    if (code === 0x7f) return '\u2421';
    return `\u2039U+${code.toString(16).toUpperCase().padStart(4, '0')}\u203a`;
  });
}
