/** What comes into the mailbox, what the service answers, and what a careful broker wants of each mail. */
import type { Answer } from './answers';

export interface PlannedFile {
	name: string;
	sha256: string;
	/** The service reads it, nobody needs it, or a person has to look at it. */
	use: 'document' | 'aside' | 'unusable';
	/** Of a document. */
	answer?: Answer;
	/** Why a person has to look at it, as the words that he reads. */
	doubt?: RegExp;
}

export interface PlannedMail {
	/** The address of its sender, which no other mail has. */
	from: string;
	subject: string;
	/** What it is an example of. */
	title: string;
	files: PlannedFile[];
	/** How often the same bytes arrive. */
	copies: number;
}

/** A policy as it is to stand in the table. */
export interface Policy {
	policyNumber: string;
	namedInsured: string;
	totalPremium: number;
}

/** An execution in the books of the service. */
export interface Booked {
	executionId: string;
	/** SHA-256 of its files. */
	files: string[];
	/** Milliseconds since 1970. */
	completesAt: number;
}
