import { describe, expect, it } from 'vitest';
import { listProblems } from '../../../src/extension/checks/finding-words';
import { finding, reportOf } from '../../webview/checks/findings';

const more = (count: number) => `${count} more`;

describe('the problems of an image', () => {
  it('say what is wrong and where, the worst first', () => {
    const report = reportOf([
      finding({ severity: 'note', message: 'Old.', offset: 16 }),
      finding({ path: '/a', inode: 12 }),
      finding({ severity: 'warning', cluster: 7, code: 'chain-long' }),
    ]);
    expect(listProblems([{ volume: 0, report }], more)).toEqual([
      {
        severity: 'error',
        message: 'The size is wrong. (/a, inode 12, byte 0x1000)',
        finding: { code: 'inode-size', volume: 0, index: 1 },
      },
      {
        severity: 'warning',
        message: 'The size is wrong. (cluster 7, byte 0x1000)',
        finding: { code: 'chain-long', volume: 0, index: 2 },
      },
      {
        severity: 'note',
        message: 'Old. (byte 0x10)',
        finding: { code: 'inode-size', volume: 0, index: 0 },
      },
    ]);
  });

  it('name their volume where there are several', () => {
    const report = reportOf([finding()]);
    const checked = [
      { volume: 0, report },
      { volume: 2, report },
    ];
    expect(listProblems(checked, more).map(({ message }) => message)).toEqual([
      'The size is wrong. (volume 0, byte 0x1000)',
      'The size is wrong. (volume 2, byte 0x1000)',
    ]);
  });

  it('are text, whatever the image holds', () => {
    const report = reportOf([finding({ path: '/a\n\u202eb', message: 'Bad\u0007.' })]);
    const [{ message }] = listProblems([{ volume: 0, report }], more);
    expect(message).not.toMatch(/[\p{Cc}\u202e]/u);
  });

  it('are a thousand at most, with errors before all else, and say how many more there are', () => {
    const notes = Array.from({ length: 1500 }, () => finding({ severity: 'note' }));
    const report = { ...reportOf([...notes, finding()]), isCut: true };
    const counts = { ...report.counts, warning: 9000 };
    const listed = listProblems([{ volume: 0, report: { ...report, counts } }], more);
    expect(listed).toHaveLength(1001);
    expect(listed[0]).toMatchObject({ severity: 'error', finding: { index: 1500 } });
    expect(listed[1000]).toEqual({ severity: 'note', message: '9501 more' });
  });
});
