import { describe, expect, it } from 'vitest'
import { rankSentences } from './rank-sentences.ts'

const top = async (question: string, ...contents: string[]): Promise<string | undefined> =>
  (
    await rankSentences(
      question,
      contents.map((content) => ({ content })),
    )
  )[0]?.text

describe('the ranking of sentences', () => {
  const bridge =
    'The bridge was designed by Ada Meyer. It was opened in 1932. About 4,000 workers built it. It is painted grey.'

  it('goes by shared words, rare ones first', async () => {
    expect(await top('What colour was the bridge painted?', bridge)).toBe('It is painted grey.')
    expect(await top('Who designed the bridge?', bridge)).toBe('The bridge was designed by Ada Meyer.')
  })

  it.each([
    ['When was the bridge finished?', 'It was opened in 1932.'],
    ['How many workers were needed for the bridge?', 'About 4,000 workers built it.'],
  ])('prefers the kind of answer that is asked for: %s', async (question, sentence) => {
    const ranked = await rankSentences(question, [{ content: bridge }])
    const place = ranked.findIndex(({ text }) => text === sentence)
    const withoutCue = await rankSentences(question.replace(/^(?:When|How many)/, 'Why'), [{ content: bridge }])
    const placeWithout = withoutCue.findIndex(({ text }) => text === sentence)
    expect(ranked[place]?.score).toBeGreaterThan(withoutCue[placeWithout]?.score ?? 0)
  })

  it('finds inflections, related words and number words', async () => {
    expect(await top('Who conquered the city?', 'Rain fell. The conquest of it was led by Ann.')).toContain('conquest')
    expect(await top('Wie groß ist der Wald?', 'Es regnet. Die Waldfläche beträgt 3 Hektar.')).toContain('Waldfläche')
    expect(await top('Who had five sacks?', 'Bob had 7 sacks. Ann had 5 sacks.')).toBe('Ann had 5 sacks.')
  })

  it('finds words in scripts without spaces', async () => {
    expect(await top('黑豹队的防守丢了多少分？', '天气很好。黑豹队的防守只丢了308分。')).toBe(
      '黑豹队的防守只丢了308分。',
    )
  })

  it('finds words written from right to left, with and without vowel marks', async () => {
    expect(await top('ما هي عاصمة فرنسا؟', 'الطقس جميل اليوم. بارِيس هي عاصِمة فرنسا.')).toBe('بارِيس هي عاصِمة فرنسا.')
  })

  it('prefers what is below a heading that asks the same', async () => {
    const pdf = '### How do I give an agent a PDF?\n\nGive the agent knowledge of a PDF by an upload of the knowledge.'
    const knowledge = '## How to give an agent knowledge\n\nOpen Knowledge and create a source.'
    expect(await top('How do I give an agent knowledge?', pdf, knowledge)).toBe('Open Knowledge and create a source.')
  })

  it('uses the previous sentence and the heading as context', async () => {
    const ranked = await rankSentences('How old is Ada Meyer?', [
      { content: 'Bob Smith is a cook. He is 50 years of age. Ada Meyer is an architect. She is 61 years of age.' },
    ])
    const score = (text: string) => ranked.find((each) => each.text === text)?.score ?? 0
    expect(score('She is 61 years of age.')).toBeGreaterThan(score('He is 50 years of age.'))
    expect(
      await top('How do I reset the password?', '## Reset the password\n\nClick the link. Wait for a letter.'),
    ).toBe('Click the link.')
    const questions = 'How do I reset the password? Click the link. How do I leave? Close the window.'
    expect(await top('How do I reset the password?', questions)).toBe('Click the link.')
  })

  it('prefers the passage that the search preferred, by score or by order', async () => {
    const contents = ['The lamp is red.', 'The lamp is blue.']
    expect(await top('What is the lamp like?', ...contents)).toBe('The lamp is red.')
    const ranked = await rankSentences('What is the lamp like?', [
      { content: 'The lamp is red.', score: 0.2 },
      { content: 'The lamp is blue.', score: 0.9 },
    ])
    expect(ranked[0]?.text).toBe('The lamp is blue.')
    const odd = [Number.POSITIVE_INFINITY, Number.NaN, -3].map((score) => ({ content: 'The lamp is red.', score }))
    const scores = (await rankSentences('lamp', odd)).map(({ score }) => score)
    expect(scores.every((score) => score > 0 && score < 2)).toBe(true)
  })

  it('returns the exact offsets of each sentence', async () => {
    const contents = ['One lamp. Two lamps!', '\n  - A lamp\n  - No light']
    const ranked = await rankSentences(
      'lamp',
      contents.map((content) => ({ content })),
    )
    expect(ranked).toHaveLength(4)
    for (const { passage, start, end, text } of ranked) expect(contents[passage]?.slice(start, end)).toBe(text)
  })

  it('leaves out unrelated sentences, and is empty for a question of stop words', async () => {
    expect(await rankSentences('What does the moon weigh?', [{ content: 'The lamp is red.' }])).toEqual([])
    expect(await rankSentences('What is it?', [{ content: 'What is it? It is.' }])).toEqual([])
    expect(await rankSentences('', [{ content: 'Text.' }])).toEqual([])
    expect(await rankSentences('lamp', [])).toEqual([])
    expect(await rankSentences('lamp', [{ content: '' }, { content: ' \n ...' }])).toEqual([])
  })

  it('is deterministic', async () => {
    const passages = [{ content: bridge }, { content: bridge }]
    expect(await rankSentences('bridge workers', passages)).toEqual(await rankSentences('bridge workers', passages))
  })

  it('uses embeddings if available', async () => {
    const vectors: Record<string, number[]> = { 'Is it costly?': [1, 0], 'The price is high.': [0.9, 0.1] }
    const asked: string[] = []
    const embed = async (texts: string[]) => {
      asked.push(...texts)
      return texts.map((text) => Float32Array.from(vectors[text] ?? [0, 0]))
    }
    const ranked = await rankSentences('Is it costly?', [{ content: 'It rains. The price is high.' }], { embed })
    expect(asked).toEqual(expect.arrayContaining(['Is it costly?', 'It rains.', 'The price is high.']))
    expect(ranked[0]?.text).toBe('The price is high.')
    expect(ranked[0]).toMatchObject({ fit: 0, similarity: expect.closeTo(0.99, 2) })
  })

  it('prefers what stands below a heading that asks nearly the same', async () => {
    const vectors: Record<string, number[]> = { 'Is it costly?': [1, 0], 'What does one pay?': [0.9, 0.1] }
    const embed = async (texts: string[]) => texts.map((text) => Float32Array.from(vectors[text] ?? [0, 0]))
    const passages = [
      { content: 'It rains.', headings: ['How is the weather?'] },
      { content: 'Five hundred francs.', headings: ['What does one pay?'] },
    ]
    const ranked = await rankSentences('Is it costly?', passages, { embed })
    expect(ranked.map(({ text }) => text)).toEqual(['Five hundred francs.', 'It rains.'])
  })

  it('stops when it is cancelled', async () => {
    const stop = new AbortController()
    const ranking = rankSentences('lamp', [{ content: 'The lamp is red. '.repeat(50_000) }], { signal: stop.signal })
    stop.abort(new Error('gone'))
    await expect(ranking).rejects.toThrow('gone')
  })

  it('reads each sentence of a long text once', async () => {
    const sentence = 'Nothing to see in here at all. '
    // The lamp stands across the place where the first piece of 64 KiB ends.
    const filler = sentence.repeat(Math.floor((64 * 1024) / sentence.length))
    expect(filler.length).toBeGreaterThan(64 * 1024 - 20)
    const content = `${filler}The lamp stands on the table. ${filler}`
    const ranked = await rankSentences('Where does the lamp stand?', [{ content }])
    expect(ranked[0]?.text).toBe('The lamp stands on the table.')
    const starts = ranked.map(({ start }) => start)
    expect(new Set(starts).size).toBe(starts.length)
  })
})
