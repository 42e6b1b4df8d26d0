import { createHash } from 'node:crypto'

const bytes = 6

/** A number from 0 to 1 that only depends on the text, evenly spread. */
const hashShare = (text: string): number =>
  createHash('sha256').update(text).digest().readUIntBE(0, bytes) / 2 ** (8 * bytes)

/** Whether a reply is in the sample. A larger rate includes every reply of a smaller one. */
export const isSampled = (messageId: string, rate: number): boolean => hashShare(messageId) < rate

/** Whether people are asked to review a scored reply. Drawn apart from the sample, which has only small numbers. */
export const isReviewed = (messageId: string, rate: number): boolean => hashShare(`review ${messageId}`) < rate
