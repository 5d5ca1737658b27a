import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { BackgroundCheck } from '../../../src/extension/checks/background-check';
import type { ImageChecks } from '../../../src/extension/checks/image-checks';
import { RemoteError } from '../../../src/protocol/rpc';

const check = vi.fn<ImageChecks['check']>();
const isKnown = vi.fn<ImageChecks['isKnown']>();
const isWanted = vi.fn<() => boolean>();
const failed = vi.fn();
let shares: (number | null)[];
let background: BackgroundCheck;

beforeEach(() => {
  vi.useFakeTimers();
  vi.resetAllMocks();
  isWanted.mockReturnValue(true);
  isKnown.mockReturnValue(false);
  check.mockResolvedValue();
  shares = [];
  background = new BackgroundCheck({
    checks: { check, isKnown },
    volumes: async () => [0, 2],
    progressed: () => shares.push(background.share),
    pause: 1000,
    ...{ isWanted, failed },
  });
});
afterEach(() => {
  background.dispose();
  vi.useRealTimers();
});

const rest = () => vi.advanceTimersByTimeAsync(1000);
const checkedVolumes = () => check.mock.calls.map(([volume]) => volume);

describe('a check that nobody asks for', () => {
  it('goes through all volumes once the image rests, and tells how far it is', async () => {
    check.mockImplementation(async (_volume, attention) => attention?.progress?.(1, 4));
    background.renew();
    await vi.advanceTimersByTimeAsync(900);
    background.renew();
    await vi.advanceTimersByTimeAsync(900);
    expect(check).not.toHaveBeenCalled();
    await rest();
    expect(checkedVolumes()).toEqual([0, 2]);
    expect(shares).toEqual([0, 0.125, 0.5, 0.625, null]);
  });

  it('is not made where it is not wanted, or known already', async () => {
    isWanted.mockReturnValue(false);
    background.renew();
    await rest();
    expect(check).not.toHaveBeenCalled();
    isWanted.mockReturnValue(true);
    isKnown.mockImplementation((volume) => volume === 0);
    background.renew();
    await rest();
    expect(checkedVolumes()).toEqual([2]);
  });

  it('is given up when the image changes, and begun anew', async () => {
    let signal: AbortSignal | undefined;
    check.mockImplementationOnce((_volume, attention) => {
      signal = attention?.signal;
      return new Promise((_resolve, reject) => {
        signal?.addEventListener('abort', () => reject(new RemoteError('cancelled', 'Given up.')));
      });
    });
    background.renew();
    await rest();
    expect(background.share).toBe(0);
    background.renew();
    expect(signal?.aborted).toBe(true);
    expect(background.share).toBeNull();
    await rest();
    expect(checkedVolumes()).toEqual([0, 0, 2]);
    expect(failed).not.toHaveBeenCalled();
  });

  it('tells that it failed, and is over', async () => {
    const error = new RemoteError('unsupported', 'It cannot be checked.');
    check.mockRejectedValueOnce(error);
    background.renew();
    await rest();
    expect(failed).toHaveBeenCalledExactlyOnceWith(error);
    expect(background.share).toBeNull();
  });

  it('begins no more once the image is closed', async () => {
    background.renew();
    background.dispose();
    background.renew();
    await rest();
    expect(check).not.toHaveBeenCalled();
  });
});
