import { sleep } from 'n8n-workflow';

import type { Time } from '../../service/http';

/**
 * The clock for waits and their limits. Tests replace its members, so read them only when needed. Time limits of single requests,
 * tokens and signatures use the real clock, because other programs measure them too.
 */
export const time: Time = { sleep, now: () => Date.now() };

/** In milliseconds. */
export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;

/** The longest wait that can be set in the panel. */
export const LONGEST_WAIT_HOURS = 720;
