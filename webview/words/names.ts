/** The names of an image, and what else it says, as this webview shows them. */
export { visibleText } from '../../src/protocol/visible-text';
