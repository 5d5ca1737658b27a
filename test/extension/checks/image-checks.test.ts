import { beforeEach, describe, expect, it, vi } from 'vitest';
import { ImageChecks } from '../../../src/extension/checks/image-checks';
import type { Engine } from '../../../src/extension/shared/engine';
import { RemoteError } from '../../../src/protocol/rpc';
import { finding, reportOf } from '../../webview/checks/findings';

const report = reportOf([finding()]);
const request = vi.fn();
const checked = vi.fn();
const outdated = vi.fn();
let checks: ImageChecks;

beforeEach(() => {
  vi.resetAllMocks();
  request.mockResolvedValue(report);
  checks = new ImageChecks({ request } as Engine, { checked, outdated });
});

describe('the checks of an image', () => {
  it('are known to all who ask, once for each', async () => {
    expect(checks.last(0)).toBeNull();
    await checks.check(0);
    expect(checked).toHaveBeenCalledExactlyOnceWith(0);
    expect(checks.last(0)).toEqual({ id: 1, isOutdated: false, report });
    expect(checks.last(0, 1)).toEqual({ id: 1, isOutdated: false, report: null });
    await checks.check(0);
    expect(checks.last(0, 1)).toEqual({ id: 2, isOutdated: false, report });
    expect(checks.last(1)).toBeNull();
  });

  it('are out of date when the image changes, until they are made again', async () => {
    checks.outdate();
    expect(outdated).not.toHaveBeenCalled();
    await checks.check(1);
    await checks.check(0);
    expect(checks.current.map(({ volume }) => volume)).toEqual([0, 1]);
    checks.outdate();
    expect(outdated).toHaveBeenCalledOnce();
    expect(checks.current).toEqual([]);
    expect(checks.last(0)).toEqual({ id: 2, isOutdated: true, report });
    await checks.check(0);
    expect(checks.current).toEqual([{ volume: 0, report }]);
    expect(checks.isKnown(0)).toBe(true);
    expect(checks.isKnown(1)).toBe(false);
  });

  it('are out of date where the image changes while they are made', async () => {
    const running = checks.check(0);
    checks.outdate();
    await running;
    expect(checks.last(0)?.isOutdated).toBe(true);
    expect(checks.isKnown(0)).toBe(false);
  });

  it('that fail leave the one before', async () => {
    await checks.check(0);
    request.mockRejectedValue(new RemoteError('cancelled', 'It was cancelled.'));
    await expect(checks.check(0)).rejects.toMatchObject({ code: 'cancelled' });
    expect(checks.last(0)?.id).toBe(1);
    expect(checked).toHaveBeenCalledOnce();
  });
});
