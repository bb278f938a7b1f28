import type { IBinaryData } from 'n8n-workflow';

import { type Execution, EXTERNAL_ID } from '../../../../../service/contract';
import { listed } from '../../../../../service/text';
import type { ServiceContext } from '../../../connection/time';
import type { About } from '../../../about';
import { asReport } from '../../../documents/open';
import type { Judgement } from '../../judge/judge';
import type { Doubt } from '../../judge/row';
import type { Minimums } from '../../settings/minimums';
import { reasonsOf } from '../toReview';
import { idOf, labelOf, namedIn } from '../words';
import { type Html, joinHtml, markup } from './html';
import { box, documentTable, FONT, reviewTable, stepTable, tablesWithin } from './tables';

/** In characters: one half for the list of values to review, one for all other tables (assumed). */
const MAX_LENGTH = 1_000_000;

/** The report of an execution as a file. `beside`: the other fields of its items, such as the sent documents. */
export async function reportOf(
	context: ServiceContext,
	judgement: Judgement,
	settings: { minimums: Minimums },
	beside: About,
): Promise<IBinaryData> {
	const page = Buffer.from(await reportPage(judgement, settings, beside));
	const name = reportFileName(judgement.execution);
	return asReport(await context.helpers.prepareBinaryData(page, name, 'text/html'));
}

/** A file name that every file system accepts: `policy-intake-ex-1.html`. */
export function reportFileName({
	workflowId,
	executionId,
}: Pick<Execution, 'workflowId' | 'executionId'>): string {
	const ids = [workflowId, executionId].map((id) => id.replace(/[^\w-]+/g, '_').slice(0, 80));
	return `${ids.join('-')}.html`;
}

/** The report for people: a page that goes out by mail as it is, in which nothing is loaded, run or linked. */
export async function reportPage(
	judgement: Judgement,
	{ minimums }: { minimums: Minimums },
	beside: About,
): Promise<string> {
	const { execution, steps } = judgement;
	const { metadata } = execution;
	const externalId = idOf(beside.externalId) || idOf(metadata[EXTERNAL_ID]);
	const title = labelOf(execution.workflowId);
	const names = namedIn(beside.documents).map(({ name }) => name);
	const subtitle = externalId || listed(names, 3);
	const review = await reviewTable(steps, tablesWithin(MAX_LENGTH / 2));
	const write = tablesWithin(MAX_LENGTH / 2);
	const documents = documentTable(beside, write);
	const data: Html[] = [];
	for (const step of steps) data.push(await stepTable(step, write));
	const ids = Object.entries({
		Workflow: idOf(execution.workflowId),
		Execution: idOf(execution.executionId),
		'External ID': externalId,
		Status: idOf(execution.status),
	}).filter(([, id]) => id !== '');
	const idLines = ids.map(([label, id]) => markup`${label}: ${id}<br>\n`);
	return markup`<!DOCTYPE html>
<html lang="en" style="color-scheme:light dark">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="format-detection" content="telephone=no, date=no, address=no, email=no">
<title>${[title, subtitle].filter(Boolean).join(' · ')}</title>
</head>
<body style="margin:0;padding:0">
<table role="presentation" align="center" width="100%" style="max-width:760px;${FONT}">
<tr><td style="padding:24px 16px;overflow-wrap:anywhere">
<h1 style="margin:0;font-size:22px;line-height:28px">${title}</h1>
<p style="margin:2px 0 16px">${subtitle}</p>
${box(`${verdictOf(judgement, minimums, beside)}.`, judgement.needsReview)}
${review}${joinHtml(data)}${documents}
<p style="margin:24px 0 0;font-size:12px;line-height:18px">${joinHtml(idLines)}</p>
</td></tr>
</table>
</body>
</html>
`.toString();
}

/** Says first whether a person has to do something. */
function verdictOf(judgement: Judgement, minimums: Minimums, beside: About): string {
	if (!judgement.needsReview)
		return judgement.isJudged
			? `Nothing to review. Minimum confidence: ${inPercent(minimums)}`
			: 'Confidence was not checked: there is no minimum confidence';
	const countOf = (kind: Doubt['kind']) =>
		judgement.doubts.filter((doubt) => doubt.kind === kind).length;
	const [low, missing, texts] = [countOf('low'), countOf('missing'), countOf('unconverted')];
	const values = [
		low > 0 &&
			`${counted(low, 'value is', 'values are')} below the minimum confidence of ${inPercent(minimums)}`,
		missing > 0 && `${counted(missing, 'required value is', 'required values are')} missing`,
		texts > 0 && counted(texts, 'text is no value', 'texts are no values'),
	];
	const isCompleted = judgement.execution.phase === 'completed';
	const reasons = reasonsOf(judgement, beside)(judgement.rows, values.filter(Boolean).join('. '));
	return isCompleted ? `Needs review. ${reasons}` : reasons;
}

function counted(count: number, one: string, several: string): string {
	return `${count} ${count === 1 ? one : several}`;
}

/** Fields may have a minimum of their own. */
function inPercent({ general, byField }: Minimums): string {
	const minimums = [general, ...byField.values()].filter((minimum) => minimum !== undefined);
	const percents = minimums.map((minimum) => Number((minimum * 100).toFixed(2)));
	const [lowest, highest] = [Math.min(...percents), Math.max(...percents)];
	return lowest === highest ? `${lowest} %` : `${lowest} to ${highest} %`;
}
