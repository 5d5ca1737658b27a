import { describe, expect, it } from 'vitest';
import type { VolumeSummary } from '../../../src/protocol/requests';
import {
  formatAmount,
  formatCount,
  formatDate,
  formatDosAttributes,
  formatMode,
  formatShare,
  formatTime,
  formatVolume,
  none,
} from '../../../webview/words/formats';
import { fatVolume } from '../fake-host';

describe('numbers', () => {
  it('have thousands separators', () => {
    expect(formatCount(0)).toBe('0');
    expect(formatCount(31744)).toBe('31,744');
    expect(formatCount(2 ** 53 - 1)).toBe('9,007,199,254,740,991');
  });

  it('agree with what they count', () => {
    expect(formatAmount(1, 'extent')).toBe('1 extent');
    expect(formatAmount(1204, 'extent')).toBe('1,204 extents');
    expect(formatAmount(0, 'entry', 'entries')).toBe('0 entries');
  });
});

describe('times', () => {
  it('are written to the minute, or to the second', () => {
    expect(formatTime('2024-03-01T12:34:56Z')).toBe('2024-03-01 12:34');
    expect(formatTime('2024-03-01T12:34:56.123456789Z', true)).toBe('2024-03-01 12:34:56');
  });

  it('can be dates alone', () => {
    expect(formatDate('2024-03-01T00:00:00Z')).toBe('2024-03-01');
    expect(formatDate('nonsense')).toBe(none);
  });

  it('can lie beyond four digits of a year', () => {
    expect(formatTime('+010446-05-10T22:38:55Z')).toBe('+010446-05-10 22:38');
    expect(formatTime('1901-12-13T20:45:52Z')).toBe('1901-12-13 20:45');
  });

  it('can be missing', () => {
    expect(formatTime(null)).toBe(none);
    expect(formatTime(undefined)).toBe(none);
  });
});

describe('modes', () => {
  it.each([
    [0o100644, '-rw-r--r--'],
    [0o40755, 'drwxr-xr-x'],
    [0o120777, 'lrwxrwxrwx'],
    [0o20666, 'crw-rw-rw-'],
    [0o60660, 'brw-rw----'],
    [0o10600, 'prw-------'],
    [0o140755, 'srwxr-xr-x'],
    [0o104755, '-rwsr-xr-x'],
    [0o102644, '-rw-r-Sr--'],
    [0o41777, 'drwxrwxrwt'],
    [0o41776, 'drwxrwxrwT'],
    [0, '?---------'],
  ])('%o is %s', (mode, text) => {
    expect(formatMode(mode)).toBe(text);
  });
});

it('FAT attributes stand at fixed places', () => {
  expect(formatDosAttributes([])).toBe('----');
  expect(formatDosAttributes(['archive', 'read-only'])).toBe('R--A');
  expect(formatDosAttributes(['hidden', 'system', 'directory'])).toBe('-HS-');
});

it('shares never round to none or all', () => {
  expect(formatShare(61, 100)).toBe('61 %');
  expect(formatShare(0, 100)).toBe('0 %');
  expect(formatShare(1, 1000)).toBe('< 1 %');
  expect(formatShare(999, 1000)).toBe('> 99 %');
  expect(formatShare(7, 7)).toBe('100 %');
  expect(formatShare(0, 0)).toBe('0 %');
});

describe('volumes', () => {
  const volume = (change: Partial<VolumeSummary>) => formatVolume({ ...fatVolume, ...change });
  const partition = { number: 1, offset: 0, length: 1, type: '83' };

  it('are named by type, label and length', () => {
    expect(volume({})).toBe('FAT32 "BOOT" 64 MiB');
    expect(volume({ type: 'ext4', label: '' })).toBe('ext4 64 MiB');
    expect(volume({ type: 'unknown', label: '', length: 512 })).toBe('Unknown 512 B');
  });

  it('are named by what is only recognised', () => {
    expect(volume({ type: 'zip', foreign: 'a ZIP archive', label: '' })).toBe(
      'A ZIP archive 64 MiB',
    );
  });

  it('have the name of their partition where it says more', () => {
    expect(volume({ partition: { ...partition, name: 'esp' } })).toBe('FAT32 "BOOT" (esp) 64 MiB');
    expect(volume({ partition: { ...partition, name: 'BOOT' } })).toBe('FAT32 "BOOT" 64 MiB');
  });

  it('show what their labels hide', () => {
    expect(volume({ label: 'A\u202eB' })).toBe('FAT32 "A‹U+202E›B" 64 MiB');
  });
});
