/** n8n's newest rule `single-credential-per-node`, which its published tools do not have yet: a node takes one type of credential. */
import type { INodeType } from 'n8n-workflow';
import * as ts from 'typescript';

/** How many credentials a loaded node takes, beside none. */
export const credentialsOf = ({ description }: INodeType) => description.credentials?.length ?? 0;

/** What breaks the rule in the source of a node. A list that is not written inline could hide further ones. */
export function credentialFaults(source: string): string[] {
	const lists: ts.Expression[] = [];
	const visit = (node: ts.Node): void => {
		if (isProperty(node) && propertyName(node) === 'credentials') lists.push(valueOf(node));
		ts.forEachChild(node, visit);
	};
	visit(ts.createSourceFile('node.ts', source, ts.ScriptTarget.Latest, true));
	if (lists.length !== 1) return [`${lists.length} properties named credentials`];
	return lists.flatMap((list) => {
		if (!ts.isArrayLiteralExpression(list)) return [`not an inline list: ${list.getText()}`];
		const { elements } = list;
		const hidden = elements.filter((element) => !ts.isObjectLiteralExpression(element));
		return [
			...(elements.length === 1 ? [] : [`${elements.length} credentials`]),
			...hidden.map((element) => `not an inline credential: ${element.getText()}`),
		];
	});
}

type Property = ts.PropertyAssignment | ts.ShorthandPropertyAssignment;

const isProperty = (node: ts.Node): node is Property =>
	ts.isPropertyAssignment(node) || ts.isShorthandPropertyAssignment(node);

const propertyName = ({ name }: Property) =>
	ts.isIdentifier(name) || ts.isStringLiteral(name) ? name.text : '';

const valueOf = (property: Property): ts.Expression =>
	ts.isPropertyAssignment(property) ? property.initializer : property.name;
