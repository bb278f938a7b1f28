import { sleep } from 'n8n-workflow';

import type { Time } from '../../service/http';

/**
 * The time by which nodes wait and keep their limits. Tests replace its members, so they are read when they are needed. Not by it:
 * time limits of single requests, tokens and signatures, which others measure as well.
 */
export const time: Time = { sleep, now: () => Date.now() };
