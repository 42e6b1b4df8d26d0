import { ProviderError } from './model.ts'

const lineFeed = 10
const carriageReturn = 13
const space = 32
const byteOrderMark = 0xfeff

/** No event of a provider comes near this; a stream without line ends would otherwise fill the memory. */
const longestEvent = 16 * 1024 * 1024

/**
 * Takes the bytes of an event stream as they come and hands on the data of each event. Bytes become text only up to
 * the last line end, so a character that is split between two chunks is never seen in halves.
 */
export class EventStreamParser {
  private readonly onData: (data: string) => void
  private unfinishedLine: Buffer[] = []
  private unfinishedLength = 0
  private afterCarriageReturn = false
  private atStart = true
  private data: string | null = null

  constructor(onData: (data: string) => void) {
    this.onData = onData
  }

  push(chunk: Buffer): void {
    if (chunk.length === 0) return
    const from = this.afterCarriageReturn && chunk[0] === lineFeed ? 1 : 0
    this.afterCarriageReturn = false
    const hasReturns = chunk.includes(carriageReturn)
    const end = Math.max(chunk.lastIndexOf(lineFeed), hasReturns ? chunk.lastIndexOf(carriageReturn) : -1)
    if (end < from) {
      this.keep(chunk.subarray(from))
      return
    }
    const text = this.textUpTo(chunk, from, end + 1)
    if (end + 1 < chunk.length) this.keep(chunk.subarray(end + 1))
    else this.afterCarriageReturn = chunk[end] === carriageReturn
    this.readLines(text, hasReturns)
  }

  private keep(rest: Buffer): void {
    if (rest.length === 0) return
    this.unfinishedLine.push(rest)
    this.unfinishedLength += rest.length
    if (this.unfinishedLength > longestEvent) throw tooLong()
  }

  private textUpTo(chunk: Buffer, from: number, end: number): string {
    let text: string
    if (this.unfinishedLength === 0) {
      text = chunk.toString('utf8', from, end)
    } else {
      text = Buffer.concat([...this.unfinishedLine, chunk.subarray(from, end)]).toString('utf8')
      this.unfinishedLine = []
      this.unfinishedLength = 0
    }
    if (!this.atStart) return text
    this.atStart = false
    return text.charCodeAt(0) === byteOrderMark ? text.slice(1) : text
  }

  /** The text always ends with a line end. */
  private readLines(text: string, hasReturns: boolean): void {
    let start = 0
    while (start < text.length) {
      const end = hasReturns ? lineEnd(text, start) : text.indexOf('\n', start)
      this.readLine(text, start, end)
      const isPair = text.charCodeAt(end) === carriageReturn && text.charCodeAt(end + 1) === lineFeed
      start = end + (isPair ? 2 : 1)
    }
  }

  private readLine(text: string, start: number, end: number): void {
    if (start === end) {
      const { data } = this
      this.data = null
      if (data !== null) this.onData(data)
    } else if (text.startsWith('data:', start)) {
      const from = text.charCodeAt(start + 5) === space ? start + 6 : start + 5
      this.add(text.slice(from, end))
    } else if (end - start === 4 && text.startsWith('data', start)) {
      this.add('')
    }
  }

  private add(value: string): void {
    this.data = this.data === null ? value : `${this.data}\n${value}`
    if (this.data.length > longestEvent) throw tooLong()
  }
}

function lineEnd(text: string, from: number): number {
  for (let at = from; ; at++) {
    const code = text.charCodeAt(at)
    if (code === lineFeed || code === carriageReturn) return at
  }
}

const tooLong = () =>
  new ProviderError('malformed', `The provider sent an event of more than ${longestEvent / 1024 / 1024} MiB.`)
