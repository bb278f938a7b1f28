/** Answers and their error bodies, as the service publishes them. */
export interface Answer {
	status: number;
	/** Sent as JSON; a string is sent as it is, with the content type in the headers. */
	body: unknown;
	headers?: Record<string, string>;
}

export interface Problem {
	loc: Array<string | number>;
	msg: string;
	type: string;
}

/** A rejected request, with its answer. */
export class Refusal extends Error {
	override readonly name = 'Refusal';

	constructor(readonly answer: Answer) {
		super(JSON.stringify(answer.body));
	}
}

export function refusal(
	status: number,
	detail: string,
	headers: Record<string, string> = {},
): Refusal {
	return new Refusal({ status, body: { detail }, headers });
}

/** 422 with one entry per problem. */
export function unprocessable(...problems: Problem[]): Refusal {
	return new Refusal({ status: 422, body: { detail: problems } });
}

export function missing(...field: string[]): Problem {
	return { loc: ['body', ...field], msg: 'field required', type: 'value_error.missing' };
}

export function problem(field: Array<string | number>, msg: string, type: string): Problem {
	return { loc: ['body', ...field], msg, type };
}
