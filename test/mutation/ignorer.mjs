/**
 * What Stryker does not mutate: the texts and the layout of a panel. They are data, which the structure tests and n8n's scanner check.
 */
const TEXTS = new Set([
	'action',
	'description',
	'displayName',
	'documentationUrl',
	'hint',
	'icon',
	'placeholder',
]);

const PANEL_TYPE = /^(Icon|INode(Properties|PropertyOptions|PropertyCollection|TypeDescription))$/;

/** The written type of a variable or of a property of a class. */
function typeOf({ node }) {
	if (node.type === 'VariableDeclarator') return node.id.typeAnnotation?.typeAnnotation;
	return node.type === 'ClassProperty' ? node.typeAnnotation?.typeAnnotation : undefined;
}

/** Whether a node of the syntax tree declares what is only data for the panel. */
function isPanelData(path) {
	const type = typeOf(path);
	const element = type?.type === 'TSArrayType' ? type.elementType : type;
	return element?.type === 'TSTypeReference' && PANEL_TYPE.test(element.typeName.name);
}

function isPanelText({ node }) {
	return (
		(node.type === 'ObjectProperty' || node.type === 'ClassProperty') &&
		TEXTS.has(node.key.name) &&
		/^(StringLiteral|TemplateLiteral|BinaryExpression)$/.test(node.value?.type)
	);
}

export const strykerPlugins = [
	{
		kind: 'Ignore',
		name: 'panel',
		value: {
			shouldIgnore: (path) =>
				isPanelData(path) || isPanelText(path) ? 'text or layout of a panel' : undefined,
		},
	},
];
