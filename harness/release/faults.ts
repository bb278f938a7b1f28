import { homeOf, placeholdersOf, type Manifest } from './home';
import { notesOf } from './notes';

/** The root entry of a lock, and what it installs. */
export interface Lock {
	version: string;
	packages: Record<string, LockedPackage>;
}

interface LockedPackage {
	integrity?: string;
	link?: boolean;
	inBundle?: boolean;
	devDependencies?: Record<string, string>;
	peerDependencies?: Record<string, string>;
}

/** All that decides whether a tag may be released. */
export interface Candidate {
	tag: string;
	manifest: Manifest;
	lock: Lock;
	changelog: string;
	/** Files that differ from the commit. */
	uncommitted: string[];
	/** Files that still have a placeholder. */
	withPlaceholders: string[];
	/** Owner and name of the repository whose workflow asks, if one does. */
	workflowOf: string | undefined;
}

/** What stands in the way of a release, each in a sentence with what to do. */
export function findFaults(candidate: Candidate): string[] {
	return [
		...tagFaults(candidate),
		...changelogFaults(candidate),
		...homeFaults(candidate),
		...lockFaults(candidate),
		...treeFaults(candidate),
	];
}

function tagFaults({ tag, manifest: { version } }: Candidate): string[] {
	if (!/^\d+\.\d+\.\d+$/.test(version))
		return [`The version ${version} in package.json is not three numbers, such as 0.1.1.`];
	if (tag === `v${version}`) return [];
	return [
		`The tag "${tag}" is not v${version}, the version in package.json: delete the tag, and run npm version, which makes both.`,
	];
}

function changelogFaults({ changelog, manifest: { version } }: Candidate): string[] {
	const heading = `"## [${version}] - <year-month-day>"`;
	const notes = notesOf(changelog, version);
	if (notes === undefined || notes.date === '')
		return [`CHANGELOG.md has no heading ${heading}: move the entries of Unreleased below it.`];
	if (notes.text === '') return [`CHANGELOG.md has nothing below ${heading}: say what is new.`];
	return [];
}

function homeFaults({ manifest, withPlaceholders, workflowOf }: Candidate): string[] {
	const { repository, mail } = homeOf(manifest);
	const how = 'run npm run set-repository -- owner/name mail, and commit.';
	if (mail === placeholdersOf(manifest.name).mail)
		return [`package.json has the placeholder ${mail}: ${how}`];
	if (withPlaceholders.length > 0)
		return [`Placeholders are left in ${withPlaceholders.join(', ')}: replace them, and commit.`];
	if (workflowOf !== undefined && workflowOf !== repository)
		return [`package.json names the repository ${repository}, and this is ${workflowOf}: ${how}`];
	return [];
}

function lockFaults({ manifest, lock }: Candidate): string[] {
	const how = 'run npm install, look at the change, and commit it.';
	const root = lock.packages[''] ?? {};
	if (lock.version !== manifest.version)
		return [`package-lock.json has the version ${lock.version}, not ${manifest.version}: ${how}`];
	for (const kind of ['devDependencies', 'peerDependencies'] as const) {
		const name = differenceOf(manifest[kind], root[kind] ?? {});
		if (name !== undefined)
			return [`package-lock.json has another version of ${name} than package.json: ${how}`];
	}
	const unchecked = Object.entries(lock.packages).find(
		([path, { integrity, link, inBundle }]) => path !== '' && !integrity && !link && !inBundle,
	);
	return unchecked ? [`package-lock.json has no checksum for ${unchecked[0]}: ${how}`] : [];
}

function differenceOf(
	wanted: Record<string, string>,
	found: Record<string, string>,
): string | undefined {
	const all = Object.keys({ ...wanted, ...found });
	return all.find((name) => wanted[name] !== found[name]);
}

function treeFaults({ uncommitted }: Candidate): string[] {
	if (uncommitted.length === 0) return [];
	return [`These files differ from the commit: ${uncommitted.join(', ')}. Commit or restore them.`];
}
