/** What product files declare at their top level, for `npm run weight` and the tests of structure. */
import ts from 'typescript';

/** By the name of a file, its text. */
export type Texts = Record<string, string>;

interface Declaration {
	file: string;
	name: string;
	kind: 'type' | 'function' | 'variable';
	statement: ts.Statement;
}

function declarationsOf(texts: Texts): Declaration[] {
	return Object.entries(texts).flatMap(([file, text]) =>
		ts
			.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
			.statements.flatMap((statement) =>
				declaredIn(statement).map((each) => ({ file, statement, ...each })),
			),
	);
}

function declaredIn(statement: ts.Statement): Array<Pick<Declaration, 'name' | 'kind'>> {
	if (ts.isVariableStatement(statement))
		return statement.declarationList.declarations.flatMap(({ name }) =>
			ts.isIdentifier(name) ? { name: name.text, kind: 'variable' as const } : [],
		);
	if (ts.isFunctionDeclaration(statement))
		return [{ name: statement.name?.text ?? '', kind: 'function' }];
	const isType =
		ts.isInterfaceDeclaration(statement) ||
		ts.isTypeAliasDeclaration(statement) ||
		ts.isClassDeclaration(statement);
	return isType ? [{ name: statement.name?.text ?? '', kind: 'type' }] : [];
}

/** `name: files` for each name that several files define, constants such as MAX_NAMES aside. */
export function namesDefinedTwice(texts: Texts): string[] {
	const files = new Map<string, string[]>();
	for (const { name, file } of declarationsOf(texts))
		if (!/^[A-Z\d_]+$/.test(name)) files.set(name, [...(files.get(name) ?? []), file]);
	return [...files]
		.filter(([, all]) => all.length > 1)
		.map(([name, all]) => `${name}: ${all.join(', ')}`);
}

/** Types whose name is a single word that ends as a participle, such as Checked and Sending. A meaning is a thing. */
export function participleTypes(texts: Texts): string[] {
	return declarationsOf(texts)
		.filter(({ kind, name }) => kind === 'type' && /^(?!Meaning$)[A-Z][a-z]+(?:ed|ing)$/.test(name))
		.map(({ name, file }) => `${name}: ${file}`);
}

/** Variables that a process shares and changes: `let`, and `const` with a new object of nothing, such as an empty Map. */
export function sharedVariables(texts: Texts): string[] {
	return declarationsOf(texts)
		.filter(({ kind, statement, name }) => {
			if (kind !== 'variable' || !ts.isVariableStatement(statement)) return false;
			const { flags, declarations } = statement.declarationList;
			const own = declarations.find((each) => each.name.getText() === name)?.initializer;
			const isNew = own !== undefined && ts.isNewExpression(own) && !own.arguments?.length;
			return (flags & ts.NodeFlags.Let) !== 0 || isNew;
		})
		.map(({ name, file }) => `${name}: ${file}`);
}

/** Types that have a `message`, and those that extend such a type: they say to a person what went wrong. */
export function faultShapes(texts: Texts): string[] {
	const shapes: string[] = [];
	for (const [file, text] of Object.entries(texts)) {
		const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
		const visit = (node: ts.Node): void => {
			const isShape =
				(ts.isInterfaceDeclaration(node) || ts.isTypeLiteralNode(node)) &&
				(node.members.some((each) => /^message: string\b/.test(each.getText())) ||
					(ts.isInterfaceDeclaration(node) && /\bextends Fault\b/.test(node.getText())));
			if (isShape) shapes.push(`${node.getText().split('\n')[0] ?? ''} (${file})`);
			ts.forEachChild(node, visit);
		};
		visit(source);
	}
	return shapes;
}
