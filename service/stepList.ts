import type { Json, JsonRecord, Step } from './contract';
import { FIELDS, isRecord, OTHER_ROWS_NAMES, STEP_NAMES } from './contract';
import { firstText, own } from './record';
import { readStepData } from './steps';

/** In characters. Every row of a step repeats its name (assumed). */
const MAX_NAME_LENGTH = 500;

export function isEmpty(data: Json | undefined): data is '' | null | undefined {
	if (typeof data === 'object' && data !== null) return Object.keys(data).length === 0;
	return data === undefined || data === null || data === '';
}

/** Published: a list of steps. Also accepted: a record of steps by name, and a single step (assumed). */
export function stepsIn(steps: Json | undefined): Step[] {
	if (isEmpty(steps)) return [];
	if (Array.isArray(steps)) return steps.map(readStep);
	if (!isRecord(steps)) return [readStepData(FIELDS.execution.steps, steps)];
	if (isStep(steps)) return [readStep(steps, 0)];
	return Object.entries(steps).map(([name, data]) => readStepData(shortName(name), data));
}

/** Data that is not called steps: steps, the rows of one step, or a record of steps by name. */
export function stepsOfData(name: string, data: Json): Step[] {
	if (Array.isArray(data) && data.every(isStep)) return data.map(readStep);
	const whole = readStepData(name, data);
	const isOfSteps =
		isRecord(data) &&
		whole.rows.length === 0 &&
		whole.address === undefined &&
		Object.values(data).every((each) => typeof each === 'object' && each !== null);
	return isOfSteps ? stepsIn(data) : [whole];
}

function isStep(json: Json): boolean {
	return isRecord(json) && firstText(json, STEP_NAMES) !== undefined && dataOf(json) !== undefined;
}

function readStep(step: Json, index: number): Step {
	const unnamed = `step_${index + 1}`;
	if (!isRecord(step)) return readStepData(unnamed, step);
	const name = shortName(firstText(step, STEP_NAMES) ?? unnamed);
	const data = Object.hasOwn(step, FIELDS.step.data) ? null : besideName(step);
	return readStepData(name, dataOf(step) ?? data);
}

/** What a step has in place of data; null when that is nothing. */
function besideName(step: JsonRecord): Json {
	const names: readonly string[] = STEP_NAMES;
	const others = Object.entries(step).filter(([name]) => !names.includes(name));
	return others.length === 0 ? null : Object.fromEntries(others);
}

function dataOf(step: JsonRecord): Json | undefined {
	const names = [FIELDS.step.data, ...OTHER_ROWS_NAMES];
	return names.map((name) => own(step, name)).find((data) => data !== undefined && data !== null);
}

function shortName(name: string): string {
	return name.slice(0, MAX_NAME_LENGTH);
}
