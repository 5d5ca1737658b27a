export { visibleText } from '../text/visible-text';
