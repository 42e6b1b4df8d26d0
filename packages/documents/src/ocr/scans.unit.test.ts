import { expect, it } from 'vitest'
import { defaultLimits } from '../document.ts'
import { readImage, readScan } from './scans.ts'

const recognizer = (...pages: string[]) => ({
  languages: 'eng',
  image: async () => pages[0],
  page: async (number: number) => pages[number - 1],
})
const contents = [
  'Contents',
  'Introduction ........................ 1',
  'Method . . . . . . . . . . . . . . . . 7',
  'Name: ________________________',
].join('\n')
const noise = ['~ | . , -- = ; : ( _ ~ + * ^ .', 'a - i . r o e , l s t']

it('refuses noise, and says which pages of a scan have no text', async () => {
  const scan = await readScan(3, recognizer('Green tea.', noise[0] ?? '', contents), defaultLimits)
  expect(scan.text).toBe(`Green tea.\n\n${contents}`)
  expect(scan.warnings).toContain('No text was found on these pages: 2.')
  for (const text of noise) {
    await expect(readScan(1, recognizer(text), defaultLimits)).rejects.toMatchObject({ code: 'no_text' })
    const image = readImage({ format: 'png', mediaType: 'image/png' }, recognizer(text), defaultLimits)
    await expect(image).rejects.toMatchObject({ code: 'no_text' })
  }
})
