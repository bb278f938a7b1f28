const { dest, src } = require('gulp');

/** What tsc does not copy: icons, codex files and the previews of output fields. */
function assets() {
	return src(
		['{nodes,credentials}/**/*.svg', 'nodes/**/*.node.json', 'nodes/**/__schema__/**/*.json'],
		{
			base: '.',
			encoding: false,
		},
	).pipe(dest('dist'));
}

exports.assets = assets;
exports.default = assets;
