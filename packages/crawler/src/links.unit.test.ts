import fc from 'fast-check'
import { expect, it } from 'vitest'
import { readLinks } from './links.ts'

const read = (html: string) => readLinks(html, 'https://example.com/folder/page', 'parley')
const links = async (html: string) => (await read(html)).links

it('finds each link once, in order, with any case and quotes', async () => {
  expect(
    await links('<A HREF="b">b</A><a href=/c>c</a><area href=\'d?x=1&amp;y=2\'><a href="b#part">again</a>'),
  ).toEqual(['https://example.com/folder/b', 'https://example.com/c', 'https://example.com/folder/d?x=1&y=2'])
})

it('skips non-page links and nofollow links', async () => {
  expect(
    await links(
      '<a href="mailto:x">x</a><a>none</a><a rel="external NoFollow" href="a">a</a><!-- <a href="b"> --><script>"<a href=c>"</script>',
    ),
  ).toEqual([])
})

it('resolves links against the first base element', async () => {
  expect(await links('<base href="/docs/"><base href="/other/"><a href="a">a</a>')).toEqual([
    'https://example.com/docs/a',
  ])
  expect(await links('<base href="javascript:x"><a href="a">a</a>')).toEqual(['https://example.com/folder/a'])
})

it.each([
  ['robots', 'noindex', false, 1],
  ['ROBOTS', 'NoFollow', true, 0],
  ['robots', 'none', false, 0],
  ['parley', 'noindex, nofollow', false, 0],
  ['googlebot', 'noindex, nofollow', true, 1],
  ['robots', 'index,follow', true, 1],
])('robots meta element %s with %s', async (name, content, mayIndex, count) => {
  const page = await read(`<meta name="${name}" content="${content}"><a href="a">a</a>`)
  expect([page.mayIndex, page.links.length]).toEqual([mayIndex, count])
})

it('never throws on any input, and returns only page URLs', async () => {
  const piece = fc.oneof(
    fc.string(),
    fc.constantFrom('<a href="', '">', '<base href=', '<meta name=robots content=', '</a>', '<!--', '-->', '&#x', '\0'),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(piece), async (pieces) => {
      for (const link of await links(pieces.join(''))) expect(link).toMatch(/^https?:\/\//)
    }),
  )
})

it('limits the number of links on a deeply nested page', async () => {
  const html = Array.from({ length: 300_000 }, (_, n) => `<a href=${n}>`).join('')
  expect((await links(html)).length).toBeLessThanOrEqual(5000)
})

it('reads a deeply nested page in linear time', async () => {
  // The square of a million steps would take longer than this test may.
  expect(await links('<b>'.repeat(1_000_000))).toEqual([])
}, 300_000)
