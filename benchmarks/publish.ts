/** Makes the tables and plots of benchmarks/README.md from measured figures. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as echarts from 'echarts';
import type { CustomSeriesRenderItemAPI } from 'echarts';
import { ROOT } from '../harness/pack';
import { cellsOf, COLUMNS, type Figure } from './figures';

export interface Results {
	machine: { cores: number; memoryGigabytes: number; platform: string };
	n8n: string;
	parts: Record<string, Figure[]>;
}

const FOLDER = join(ROOT, 'benchmarks');
const PAGE = join(FOLDER, 'README.md');

export async function publish(results: Results): Promise<void> {
	const { n8n, machine, parts } = results;
	let page = readFileSync(PAGE, 'utf8');
	page = withBlock(
		page,
		'machine',
		`n8n ${n8n}, ${machine.cores} cores, ${machine.memoryGigabytes} GB of memory.`,
	);
	for (const [name, figures] of Object.entries(parts)) {
		const plot = `![${name}: a bar for each ratio](images/${name}.svg)`;
		page = withBlock(page, name, `${markdownOf(figures)}\n\n${plot}`);
		writeFileSync(join(FOLDER, 'images', `${name}.svg`), plotOf(figures));
	}
	writeFileSync(PAGE, page);
	console.log('benchmarks/README.md and its plots have the last figures of each part.');
}

/** The page with other lines between `<!-- name -->` and `<!-- end -->`. */
function withBlock(page: string, name: string, text: string): string {
	const block = new RegExp(`(<!-- ${name} -->\n)[^]*?(<!-- end -->)`);
	if (!block.test(page)) throw new Error(`benchmarks/README.md has no place for ${name}`);
	return page.replace(block, (_, begin: string, end: string) => `${begin}${text}\n${end}`);
}

function markdownOf(figures: Figure[]): string {
	const line = (cells: string[]) => `| ${cells.join(' | ')} |`;
	const [first, ...others] = COLUMNS;
	return [
		line(
			[first ?? '', ...others].map((title) =>
				title.replace(/^./, (letter) => letter.toUpperCase()),
			),
		),
		`|---|${'--:|'.repeat(others.length)}`,
		...figures.map((figure) => line(cellsOf(figure))),
	].join('\n');
}

const WIDTH = 860;
const HEIGHT_OF_FIGURE = 46;
const LARGEST_SHOWN = 3;
const COLOURS = { reached: '#2f7d4f', missed: '#b3541e', plain: '#5b6b7f', range: '#22303f' };

/** The ratio of each figure as a bar, with its range as a line, its target as a mark, and 1 as the value of the other. */
function plotOf(given: Figure[]): string {
	const figures = given.filter(({ ratio }) => Number.isFinite(ratio.median));
	const chart = echarts.init(null, null, {
		renderer: 'svg',
		ssr: true,
		width: WIDTH,
		height: 90 + HEIGHT_OF_FIGURE * figures.length,
	});
	const shown = (value: number) => Math.min(value, LARGEST_SHOWN);
	chart.setOption({
		animation: false,
		backgroundColor: '#ffffff',
		textStyle: { fontFamily: 'sans-serif' },
		grid: { left: 380, right: 60, top: 30, bottom: 50 },
		xAxis: {
			type: 'value',
			min: 0,
			name: 'ratio to the other',
			nameLocation: 'middle',
			nameGap: 28,
		},
		yAxis: {
			type: 'category',
			inverse: true,
			data: figures.map(({ name, beside }) => `${name}\nbeside ${beside}`),
			axisLabel: { width: 360, overflow: 'break', lineHeight: 15 },
		},
		series: [
			{
				type: 'bar',
				barWidth: 14,
				data: figures.map(({ ratio, isReached }) => ({
					value: shown(ratio.median),
					itemStyle: { color: colourOf(isReached) },
				})),
				markLine: {
					symbol: 'none',
					label: { show: false },
					lineStyle: { color: COLOURS.range, type: 'dashed' },
					data: [{ xAxis: 1 }],
				},
			},
			{
				type: 'scatter',
				symbol: 'rect',
				symbolSize: [3, 26],
				itemStyle: { color: '#d0a000' },
				data: figures.flatMap(({ target }, index) =>
					target?.of === 'ratio' ? [[target.atMost ?? target.atLeast ?? 0, index]] : [],
				),
			},
			{
				type: 'scatter',
				symbolSize: 0,
				data: figures.map(({ ratio }, index) => ({
					value: [shown(ratio.highest), index],
					label: { show: true, position: 'right', formatter: ratio.median.toFixed(2) },
				})),
			},
			{
				type: 'custom',
				renderItem: (_: unknown, api: CustomSeriesRenderItemAPI) => {
					const index = Number(api.value(2));
					const from = api.coord([api.value(0), index]);
					const to = api.coord([api.value(1), index]);
					const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = [...from, ...to];
					return {
						type: 'line',
						shape: { x1, y1, x2, y2 },
						style: { stroke: COLOURS.range, lineWidth: 2 },
					};
				},
				encode: { x: [0, 1], y: 2 },
				data: figures.map(({ ratio }, index) => [shown(ratio.lowest), shown(ratio.highest), index]),
			},
		],
	});
	const svg = chart.renderToSVGString();
	chart.dispose();
	return `${svg}\n`;
}

function colourOf(isReached: boolean | undefined): string {
	if (isReached === undefined) return COLOURS.plain;
	return isReached ? COLOURS.reached : COLOURS.missed;
}
