/** Where the package lives, and who answers for it. */
export interface Home {
	/** Owner and name of the repository at GitHub, such as "owner/name". */
	repository: string;
	author: string;
	mail: string;
}

export interface Manifest {
	name: string;
	version: string;
	author: { name: string; email: string };
	repository: { url: string };
	devDependencies: Record<string, string>;
	peerDependencies: Record<string, string>;
}

export function homeOf({ author, repository }: Pick<Manifest, 'author' | 'repository'>): Home {
	return {
		repository: repository.url.replace(/^git\+https:\/\/github\.com\/|\.git$/g, ''),
		author: author.name,
		mail: author.email,
	};
}

/** The home of a package that nobody owns yet. */
export function placeholdersOf(name: string): Home {
	return {
		repository: `${name}/${name}`,
		author: `${name} authors`,
		mail: ['maintainers', 'example.com'].join('@'),
	};
}

/** In package.json and LICENSE: elsewhere a name such as "tim" is part of other words. */
const AUTHORS = /(?<="author": \{\s*"name": "|^Copyright \(c\) \d+ )[^"\n]+/gm;

/** A text with another home: addresses at GitHub, the owner in CODEOWNERS, the author and the e-mail address. */
export function moveHome(text: string, from: Home, to: Home): string {
	const ownerOf = ({ repository }: Home) => repository.split('/')[0] ?? '';
	return text
		.replaceAll(`github.com/${from.repository}`, `github.com/${to.repository}`)
		.replace(new RegExp(`(?<=^\\*.* )@${ownerOf(from)}$`, 'gm'), `@${ownerOf(to)}`)
		.replace(AUTHORS, (name) =>
			[from.author, `The ${from.author}`].includes(name) ? to.author : name,
		)
		.replaceAll(from.mail, to.mail);
}

/** Whether a text has something of a home that would have to be moved. */
export function hasPartOf(text: string, home: Home): boolean {
	const nobody = { repository: '/', author: '', mail: '' };
	return moveHome(text, home, nobody) !== text;
}
