const { dest, series, src } = require('gulp');
const { Transform } = require('node:stream');

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

/** The maps are for the coverage of the tests and are not packed, so the built code does not refer to them. */
function withoutMaps() {
	const transform = (file, _encoding, done) => {
		file.contents = Buffer.from(String(file.contents).replace(/^\/\/# sourceMappingURL=.*$/m, ''));
		done(null, file);
	};
	return src('dist/**/*.js')
		.pipe(new Transform({ objectMode: true, transform }))
		.pipe(dest('dist'));
}

exports.default = series(assets, withoutMaps);
