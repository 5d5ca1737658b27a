export { formatSize, readSize } from '../text/sizes';
