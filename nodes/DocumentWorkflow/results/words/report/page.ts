import type { IBinaryData } from 'n8n-workflow';

import type { Execution } from '../../../../../service/contract';
import { listed } from '../../../../../service/text';
import type { ServiceContext } from '../../../connection/time';
import type { About } from '../../../about';
import { asReport } from '../../../documents/select';
import type { Judgement } from '../../judge/judge';
import type { Doubt } from '../../judge/row';
import type { Minimums } from '../../settings/minimums';
import { reasonsOf } from '../toReview';
import { idOf, labelOf, namedIn } from '../words';
import { type Html, markup, STYLE } from './html';
import { documentTable, reviewTable, stepTable, tablesWithin } from './tables';

/** In characters: one half for the list of values to review, one for all other tables (assumed). */
const MAX_LENGTH = 1_000_000;

/** The report of an execution as a file. `about`: the other fields of its items, such as the sent documents. */
export async function reportOf(
	context: ServiceContext,
	judgement: Judgement,
	settings: { minimums: Minimums },
	about: About,
): Promise<IBinaryData> {
	const page = Buffer.from(await reportPage(judgement, settings, about));
	const name = reportFileName(judgement.execution);
	return asReport(await context.helpers.prepareBinaryData(page, name, 'text/html'));
}

/** A file name that every file system accepts: `policy-intake-ex-1.html`. */
export function reportFileName(of: Pick<Execution, 'workflowId' | 'executionId'>): string {
	const ids = [of.workflowId, of.executionId];
	return `${ids.map((id) => id.replace(/[^\w-]+/g, '_').slice(0, 80)).join('-')}.html`;
}

/** The report for people: a page that goes out by mail as it is, in which nothing is loaded, run or linked. */
export async function reportPage(
	judgement: Judgement,
	{ minimums }: { minimums: Minimums },
	about: About,
): Promise<string> {
	const { execution, steps } = judgement;
	const externalId = idOf(about.externalId) || idOf(execution.externalId);
	const workflow = labelOf(execution.workflowId);
	const names = listed(namedIn(about.documents), 3, ({ name }) => name);
	const [title = workflow] = [names, externalId].filter(Boolean);
	const subtitle = [workflow, externalId].filter((each) => !['', title].includes(each)).join(' · ');
	const review = await reviewTable(judgement, tablesWithin(MAX_LENGTH / 2));
	const write = tablesWithin(MAX_LENGTH / 2);
	const documents = documentTable(about, write);
	const data: Html[] = [];
	for (const step of steps) data.push(await stepTable(step, write));
	return markup`<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="color-scheme" content="light dark">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="format-detection" content="telephone=no, date=no, address=no, email=no">
<title>${[title, subtitle].filter(Boolean).join(' · ')}</title>
<style>${STYLE}</style></head><body><main>
<h1>${title}</h1>
<p><small>${subtitle}</small></p>
${verdictOf(judgement, minimums, about)}
${review}${data}${documents}
<h2>Execution</h2>
<p><small>Workflow: ${idOf(execution.workflowId)}<br>
Execution: ${idOf(execution.executionId)}<br>
Status: ${idOf(execution.status)}</small></p>
</main></body></html>
`.toString();
}

/** Says first whether a person has to do something. */
function verdictOf(judgement: Judgement, minimums: Minimums, about: About): Html {
	const { needsReview, isJudged, doubts, rows, execution } = judgement;
	const percent = inPercent(minimums);
	const say = (kind: Doubt['kind'], one: string, several: string, more = '') => {
		const count = doubts.filter((doubt) => doubt.kind === kind).length;
		return count === 0 ? [] : [`${count} ${count === 1 ? one : several}${more}`];
	};
	const values = [
		...say('low', 'value is', 'values are', ` below the minimum confidence of ${percent}`),
		...say('missing', 'required value is missing', 'required values are missing'),
		...say('unconverted', 'value has the wrong type', 'values have the wrong type'),
	];
	const verdict = (kind: string, title: string, why: string) =>
		markup`<p class="verdict ${kind}"><b>${title}</b><br>\n${why}.</p>`;
	const open = { completed: 'Needs review', failed: 'Failed', running: 'Not finished' };
	const { phase } = execution;
	if (needsReview)
		return verdict(phase, open[phase], reasonsOf(judgement, about)(rows, values.join('. ')));
	return isJudged
		? verdict('fine', 'Nothing to review', `Minimum confidence: ${percent}`)
		: verdict('', 'Confidence was not checked', 'There is no minimum confidence');
}

/** Fields may have a minimum of their own. */
function inPercent({ general, byField }: Minimums): string {
	const minimums = [general, ...byField.values()].filter((minimum) => minimum !== undefined);
	const percents = minimums.map((minimum) => Number((minimum * 100).toFixed(2)));
	const [lowest, highest] = [Math.min(...percents), Math.max(...percents)];
	return lowest === highest ? `${lowest} %` : `${lowest} to ${highest} %`;
}
