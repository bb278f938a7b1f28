import { publishingSpec } from './specs/publishing';

describe('The commands of the docs', publishingSpec);
