export { noProgress, type Progress } from '../image/progress';
