import type { Scene } from './scenes';

export const SIZES = [
	[1280, 800],
	[1920, 1080],
] as const;
export const THEMES = ['light', 'dark'] as const;

export function fileOf(scene: string, view: string, width: number, theme: string): string {
	return `${[scene, view, width, theme].filter(Boolean).join('-')}.png`;
}

/** A page with each picture, and beside it the same one of n8n's own node. */
export function galleryPage(scenes: Scene[]): string {
	const sections = scenes.flatMap(({ name, beside, views = [''] }) =>
		views.map((view) => {
			const rows = SIZES.flatMap(([width]) =>
				THEMES.map((theme) => {
					const ours = image(fileOf(name, view, width, theme));
					const theirs = beside === undefined ? '' : image(fileOf(beside, '', width, theme));
					return `<div>${ours}${theirs}</div>`;
				}),
			);
			const title = [name, view].filter(Boolean).join(' ');
			return `<h2>${title}${beside === undefined ? '' : ` | ${beside}`}</h2>${rows.join('')}`;
		}),
	);
	return `<!doctype html><meta charset="utf-8"><title>Gallery</title>
<style>body{font:16px sans-serif}div{display:flex;gap:8px;margin:8px 0}a{width:50%}img{width:100%}</style>
${sections.join('\n')}
`;
}

function image(file: string): string {
	return `<a href="${file}"><img src="${file}" loading="lazy" alt="${file}"></a>`;
}
