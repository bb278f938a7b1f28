export const STYLES = ['us', 'uk', 'europe'] as const;
export type Style = (typeof STYLES)[number];

/** `today`: in ISO 8601, for years of two digits. */
export interface How {
	style: Style;
	today: string;
}
