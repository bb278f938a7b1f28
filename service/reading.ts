import {
	type Execution,
	type ExecutionIds,
	type Json,
	type JsonRecord,
	type Meaning,
	type Phase,
	type StartedExecution,
	EXTERNAL_ID,
	FIELDS,
	SPELLINGS,
} from './contract';
import { readIdentifier } from './identifier';
import { scoresBeside } from './cells';
import {
	isEmpty,
	isRecord,
	isTooDeep,
	MAX_LEVELS,
	parseJson,
	recordsUnder,
	textUnder,
	valuesUnder,
} from './json';
import { readFailureReason, readFault } from './reason';
import { PHASES, readMeaning } from './status';
import { stepsIn } from './steps';
import { excerptOf, plainText } from './text';

/** What is read of a record that may be the execution. */
interface Candidate {
	record: JsonRecord;
	status: string | undefined;
	/** IDs that cannot be used are left out. */
	executionId: string[];
	startedId: string[];
	workflowId: string[];
	metadata: JsonRecord[];
	steps: Json[];
	faults: Json[];
	/** These can be nothing but the execution. */
	executions: JsonRecord[];
	others: JsonRecord[];
}

/** In characters. Every output item repeats it. */
const MAX_STATUS_LENGTH = 100;

/** Reads the answer to a create; undefined without an identifier. */
export function readStarted(body: unknown, workflowId: string): StartedExecution | undefined {
	const { executions, all } = candidatesIn(body);
	const found = idIn(all, 'executionId') ?? idIn([...executions, ...all], 'startedId');
	if (found === undefined) return undefined;
	return { workflowId, executionId: found.id, status: found.candidate.status ?? 'running' };
}

/** Reads the answer to a get; undefined when it is no object, has no status, or is nested too deep. */
export function readExecution(
	body: unknown,
	asked: ExecutionIds,
	secrets: readonly string[] = [],
): Execution | undefined {
	const { outer, executions, all } = candidatesIn(body);
	const execution = executionAmong(all);
	if (execution === undefined || isTooDeep(body)) return undefined;
	const { status = '' } = execution;
	// Other records around data may have fields of these names that belong to the data.
	const candidates = [...new Set([execution, outer, ...executions])];
	const given = [...new Set([execution, ...all])].map((each) => each.steps[0]);
	const data = given.find((each) => !isEmpty(each));
	const steps = stepsIn(data, secrets);
	const holdsData = steps.some(({ rows, isAtUrl }) => rows.length > 0 || isAtUrl);
	const meaning = readMeaning(status, holdsData);
	const phase = PHASES[meaning];
	const [metadata = {}] = candidates.flatMap((each) => each.metadata);
	const others = candidates.filter((each) => each !== execution);
	const around = others.flatMap((each) => each.faults);
	const faulty = phase === 'completed' ? candidates : [];
	const faults = faulty.flatMap((each) => each.faults);
	return {
		workflowId: idIn(candidates, 'workflowId')?.id ?? asked.workflowId,
		executionId: idIn(candidates, 'executionId')?.id ?? asked.executionId,
		status,
		phase,
		meaning,
		metadata,
		externalId: readExternalId(valuesUnder(metadata, [EXTERNAL_ID])[0]),
		steps,
		scores: candidates.flatMap(({ record }) => scoresBeside(record)),
		failureReason:
			phase === 'failed' ? readFailureReason(execution.record, secrets, around) : undefined,
		faults: [...new Set(faults.flatMap((fault) => readFault(fault, secrets)))],
		excerpt:
			phase === 'completed' && steps.length === 0 ? excerptOf(outer.record, secrets) : undefined,
		raw: outer.record,
	};
}

const MAX_EXTERNAL_ID_LENGTH = 500;

function readExternalId(id: Json | undefined): Execution['externalId'] {
	if (typeof id === 'number') return id;
	const isText = typeof id === 'string' && id !== '' && id.length <= MAX_EXTERNAL_ID_LENGTH;
	return isText ? id : undefined;
}

/** What is read of a notification about an execution. Its data is not: it may be truncated, or forged. */
export interface ServiceEvent {
	workflowId: string;
	executionId: string;
	/** Undefined where it gives no status. An unknown word is `running`. */
	meaning: Meaning | undefined;
	phase: Phase | undefined;
}

type ReadEvent = { ok: true; event: ServiceEvent } | { ok: false; reason: string };

/** Reads a notification, which reports one event (published), from the same records as an answer. */
export function readEvent(text: string): ReadEvent {
	const refuse = (reason: string): ReadEvent => ({ ok: false, reason });
	const body = parseJson(text);
	if (body === undefined) return refuse('The body is not JSON');
	if (isTooDeep(body)) return refuse(`The body is nested more than ${MAX_LEVELS} levels deep`);
	const { all } = candidatesIn(body);
	const workflowId = idIn(all, 'workflowId')?.id;
	const executionId = idIn(all, 'executionId')?.id;
	if (workflowId === undefined || executionId === undefined)
		return refuse(
			`An event must name ${FIELDS.execution.workflowId} and ${SPELLINGS.executionId[0]}`,
		);
	const status = executionAmong(all)?.status;
	const meaning = status === undefined ? undefined : readMeaning(status, false);
	return {
		ok: true,
		event: { workflowId, executionId, meaning, phase: meaning && PHASES[meaning] },
	};
}

/** The records of an answer that may be the execution: the body, also as the only entry of a list, and those in it. */
function candidatesIn(body: unknown) {
	const given: unknown = Array.isArray(body) && body.length === 1 ? body[0] : body;
	const outer = readCandidate(given);
	const executions = outer.executions.map(readCandidate);
	return { outer, executions, all: [outer, ...executions, ...outer.others.map(readCandidate)] };
}

/** What is no record has no fields. */
function readCandidate(value: unknown): Candidate {
	const record = isRecord(value) ? value : {};
	const status = textUnder(record, SPELLINGS.status);
	const idsUnder = (names: readonly string[]) =>
		valuesUnder(record, names).flatMap((id) => readIdentifier(id) ?? []);
	return {
		record,
		status: status && plainText(status, [], MAX_STATUS_LENGTH),
		executionId: idsUnder(SPELLINGS.executionId),
		startedId: idsUnder(SPELLINGS.startedId),
		workflowId: idsUnder(SPELLINGS.workflowId),
		metadata: recordsUnder(record, [FIELDS.execution.metadata]),
		steps: valuesUnder(record, [FIELDS.execution.steps]),
		faults: valuesUnder(record, SPELLINGS.faults),
		executions: recordsUnder(record, SPELLINGS.aroundExecution),
		others: recordsUnder(record, SPELLINGS.around),
	};
}

/** A record around it may have a status of its own, such as `success`, so an ID or steps beside the status count more. */
function executionAmong(candidates: Candidate[]): Candidate | undefined {
	const withStatus = candidates.filter(({ status }) => status !== undefined);
	const isExecution = (each: Candidate) => each.executionId.length + each.steps.length > 0;
	return withStatus.find(isExecution) ?? withStatus[0];
}

/** The first identifier under one of the names of an ID, and the record that has it. */
function idIn(candidates: Candidate[], name: 'executionId' | 'startedId' | 'workflowId') {
	return candidates.flatMap((candidate) => candidate[name].map((id) => ({ id, candidate }))).at(0);
}
