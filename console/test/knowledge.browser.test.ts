import { makePdf, toBytes } from '@parley/documents/testing'
import { expect, it } from 'vitest'
import { until } from '../../server/test/harness.ts'
import { knowledge } from '../../server/test/knowledge.ts'
import { expectAccessible } from './accessibility.ts'
import { workspace } from './console.ts'

const file = (name: string, content: Uint8Array) => ({
  name,
  mimeType: 'application/octet-stream',
  buffer: Buffer.from(content),
})

it('goes from an empty workspace to a cited answer that opens its passage', async () => {
  const { open } = await workspace()
  const { page, problems } = await open()
  await page.getByRole('link', { name: 'Knowledge', exact: true }).click()
  await page.getByText('No knowledge yet').waitFor()
  await page.getByRole('button', { name: 'New source' }).first().click()
  await page.getByLabel('Name').fill('Handbook')
  await page.getByRole('button', { name: 'Create source' }).click()
  await page.getByRole('heading', { name: 'Handbook', level: 1 }).waitFor()

  await page
    .getByLabel('Drop files here or browse')
    .setInputFiles([
      file(
        'leave.pdf',
        makePdf(['Welcome to the company handbook.', 'Parental leave lasts 26 weeks for every parent.']),
      ),
      file('travel.md', toBytes('# Travel\n\nTrain journeys are booked in second class.\n')),
    ])
  const documents = page.getByRole('region', { name: 'Documents' })
  await documents.getByText('indexed').nth(1).waitFor()
  // An uploaded file is shown once, in the list of documents.
  await expect.poll(() => page.getByRole('list', { name: 'Uploads' }).count()).toBe(0)

  await page.getByRole('link', { name: 'Tools', exact: true }).click()
  await page.getByText('No tools yet').waitFor()
  await page.getByRole('button', { name: 'New tool' }).first().click()
  await page.getByRole('menuitem', { name: 'Answer tool' }).click()
  await page.getByLabel('Name').fill('Handbook')
  await page.getByRole('button', { name: 'Create tool' }).click()
  await page.getByText('Index status').waitFor()
  await page.locator('dd').getByText('ready').waitFor()
  await page.getByLabel('Question').fill('How long is parental leave?')
  await page.getByRole('button', { name: 'Ask' }).click()
  await page.getByRole('region', { name: 'Answer' }).getByText('26 weeks').waitFor()
  await page.getByText('cited').first().waitFor()

  await page.getByRole('link', { name: 'Agents', exact: true }).click()
  await page.getByRole('button', { name: 'New agent' }).first().click()
  await page.getByLabel('Name').fill('Support')
  await page.getByRole('button', { name: 'Create agent' }).click()
  await page.getByRole('checkbox', { name: 'Handbook' }).check()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('button', { name: 'Version 2' }).waitFor()
  await page.getByLabel('Message', { exact: true }).fill('How long is parental leave?')
  await page.keyboard.press('Enter')
  const reply = page.getByRole('article', { name: 'Reply' })
  await reply.locator('.step summary').click()
  const passages = reply.getByRole('list', { name: 'Result' })
  await passages.getByText('leave.pdf').first().waitFor()
  await passages.getByRole('region', { name: 'Passage 1' }).getByText('Parental leave lasts 26 weeks').waitFor()
  await expectAccessible(page, 'passages in a reply', { within: '[role=log]' })
  await reply.locator('.step summary').click()
  await reply.getByRole('button', { name: 'Source 1: leave.pdf' }).first().click()
  const hidden = "document.querySelector('.chat-log').scrollWidth - document.querySelector('.chat-log').clientWidth"
  await expect.poll(() => page.evaluate(hidden)).toBe(0)
  await page.getByRole('link', { name: 'Open in document' }).click()
  await page.getByRole('heading', { name: 'leave.pdf', level: 1 }).waitFor()
  const passage = page.getByRole('region', { name: 'Page 2' }).locator('mark')
  await passage.getByText('Parental leave lasts 26 weeks').waitFor()
  await expect.poll(() => passage.isVisible()).toBe(true)
  await expect.poll(() => page.url()).toMatch(/\/knowledge\/src_\w+\/documents\/doc_\w+\?start=\d+&end=\d+$/)
  await page.getByRole('tab', { name: 'Original' }).click()
  await page.locator('iframe[title="Original"][src$="/file?disposition=inline#page=2"]').waitFor()
  await page.getByRole('tab', { name: 'Text' }).click()
  const saving = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download' }).click()
  expect((await saving).suggestedFilename()).toBe('leave.pdf')
  await page.getByRole('button', { name: 'Edit metadata' }).click()
  await page.getByRole('textbox', { name: 'Metadata' }).fill('{"year": 2024}')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Metadata saved').waitFor()
  await page.locator('dd').getByText('2024').waitFor()
  await page.getByRole('button', { name: 'Sync' }).click()
  await page.getByText('Reading leave.pdf again').waitFor()
  await page.locator('dd').getByText('indexed').waitFor()
  expect(problems).toEqual([])
})

it('searches, syncs, edits and deletes a source, and shows documents that failed', async () => {
  const service = await workspace()
  const { open, get } = service
  const { make, upload, settled } = knowledge(service)
  const source = await make({ name: 'Papers' })
  await upload(source, {
    'tea.md': '# Tea\n\nGreen tea is brewed at eighty degrees.\n',
    'damaged.pdf': '%PDF-1.7 this is not really one',
  })
  await settled(source)
  const { page, problems } = await open('/knowledge')
  await page.getByRole('link', { name: 'Papers' }).click()
  const documents = page.getByRole('region', { name: 'Documents' })
  await documents.getByText('failed').waitFor()
  await page.getByLabel('Status').selectOption('failed')
  await documents.getByText('tea.md').waitFor({ state: 'detached' })
  await expect.poll(() => documents.locator('.bad-text').textContent()).toContain('damaged')
  await page.getByLabel('Status').selectOption('')

  await page.getByRole('tab', { name: 'Search' }).click()
  await page.getByLabel('Search query').fill('At how many degrees is green tea brewed?')
  await page.getByRole('button', { name: 'Search', exact: true }).click()
  const result = page.getByRole('list', { name: 'Results' }).getByRole('listitem').first()
  await result.getByText('tea.md').waitFor()
  await expect.poll(() => result.locator('.scores').textContent()).toMatch(/Keyword\s*\d\.\d\d\s*Semantic\s*\d\.\d\d/)
  await expect.poll(() => result.locator('.heading-path').textContent()).toMatch(/^tea/)
  await expect.poll(() => result.locator('.passage-text mark').allInnerTexts()).toContain('degrees')
  await result.getByRole('link', { name: 'tea.md' }).click()
  await page.locator('.document-text mark').getByText('eighty degrees').waitFor()
  await page.getByRole('link', { name: 'Source' }).click()

  await page.getByRole('button', { name: 'Sync now' }).click()
  await page.getByRole('tab', { name: 'Sync history' }).click()
  const syncs = page.getByRole('region', { name: 'Syncs' })
  await syncs.getByText('completed').nth(1).waitFor()
  await page.getByRole('tab', { name: 'Settings' }).click()
  await page.getByLabel('Name').fill('Drinks')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { name: 'Drinks', level: 1 }).waitFor()

  await page.getByRole('tab', { name: 'Documents' }).click()
  await page.getByRole('button', { name: 'Delete damaged.pdf' }).click()
  await page.getByRole('button', { name: 'Delete document' }).click()
  await page.getByText('damaged.pdf deleted').waitFor()
  expect((await get(`/knowledge-sources/${source}/documents`)).body.data).toHaveLength(1)
  await service.post('/retrieval-tools', { name: 'Papers', knowledge_source_ids: [source] })
  await page.getByRole('button', { name: 'Delete source' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete source' }).click()
  await page.getByText(/Used by 1 (RAG|retrieval) tool/).waitFor()
  expect(problems.filter((problem) => !problem.includes('409'))).toEqual([])
})

it('creates a text source, and rejects an invalid website URL', async () => {
  const { open, get } = await workspace()
  const { page, goTo } = await open('/knowledge?new=yes')
  await page.getByRole('radio', { name: /^Text/ }).check()
  await page.getByLabel('Name').fill('Notes')
  await page.getByRole('textbox', { name: 'Title' }).fill('Opening hours')
  await page.getByRole('textbox', { name: 'Text', exact: true }).fill('We open at nine.')
  await page.getByRole('button', { name: 'Create source' }).click()
  const documents = page.getByRole('region', { name: 'Documents' })
  await documents.getByText('indexed').waitFor()
  await documents.getByRole('link', { name: 'Opening hours' }).click()
  await page.getByText('We open at nine.').waitFor()

  await goTo('/knowledge?new=yes')
  await page.getByRole('radio', { name: /^Website/ }).check()
  await page.getByLabel('Name').fill('Site')
  await page.getByLabel('URLs').fill('not an address')
  await page.getByRole('button', { name: 'Create source' }).click()
  await page.getByText('must be an http or https URL').waitFor()
  expect((await get('/knowledge-sources')).body.data).toHaveLength(1)
})

it('loads a long document in parts', async () => {
  const service = await workspace()
  const { make, upload, settled, documents } = knowledge(service)
  const source = await make()
  const lines = Array.from({ length: 4000 }, (_, line) => `Line ${line} of a long report.`)
  await upload(source, { 'long.txt': lines.join('\n') })
  await settled(source)
  const [document] = await documents(source)
  const { text } = (await service.get(`/knowledge-sources/${source}/documents/${document.id}/content`)).body.data
  const start = text.indexOf('Line 3000 of')
  const { page, problems } = await service.open(
    `/knowledge/${source}/documents/${document.id}?start=${start}&end=${start + 9}`,
  )
  const mark = page.locator('.document-text mark')
  await mark.waitFor()
  await expect.poll(() => mark.textContent()).toBe('Line 3000')
  await until(async () => ((await mark.boundingBox())?.y ?? Number.POSITIVE_INFINITY) < 800)
  await expect.poll(() => page.getByText('Line 0 of').count()).toBe(0)
  await page.getByRole('button', { name: 'Show previous text' }).click()
  await page.getByText('Line 1500 of').waitFor()
  await page.getByRole('button', { name: 'Show previous text' }).click()
  await page.getByText('Line 0 of').waitFor()

  await page.getByRole('tab', { name: 'Chunks' }).click()
  const chunks = page.getByRole('list', { name: 'Chunks' }).getByRole('listitem')
  await chunks.nth(19).waitFor()
  await page.getByRole('button', { name: 'Next page' }).click()
  await page.getByRole('link', { name: 'Show in text: chunk 22' }).click()
  await page.getByRole('tab', { name: 'Text', selected: true }).waitFor()
  await mark.first().waitFor()
  const path = `/knowledge-sources/${source}/documents/${document.id}/chunks?page=2`
  const [, second] = (await service.get(path)).body.data
  await expect.poll(async () => (await mark.allTextContents()).join('').trim()).toBe(second.content.trim())
  expect(problems).toEqual([])
})

it('shows the tables of a source, filters their rows, and queries them with SQL', async () => {
  const service = await workspace()
  const { make, upload, settled } = knowledge(service)
  const source = await make()
  const rows = Array.from(
    { length: 60 },
    (_, at) => `Part ${at + 1},${at % 2 ? 'steel' : 'brass'},"$1,0${10 + at}.50",${at % 3 === 0 ? 'yes' : 'no'}`,
  )
  await upload(source, { 'parts.csv': `Part,Material,Price,In stock\n${rows.join('\n')}\n` })
  await settled(source)
  const { page, problems, goTo } = await service.open(`/knowledge/${source}?tab=tables`)
  await page.getByRole('region', { name: 'Tables' }).getByRole('link', { name: 'parts' }).click()
  const table = page.getByRole('region', { name: 'parts' })
  await table.getByText('1010.5', { exact: true }).waitFor()
  await page.getByText('60 rows').waitFor()
  await page.getByRole('button', { name: 'Next page' }).click()
  await table.getByText('Part 60').waitFor()
  await page.getByRole('searchbox', { name: 'Filter rows' }).fill('part 42')
  await table.getByText('Part 42').waitFor()
  await expect.poll(() => table.getByRole('row').count()).toBe(2)
  await page.getByRole('link', { name: 'Show row 42 in the document' }).click()
  await expect.poll(() => page.locator('.document-text mark').first().textContent()).toContain('Part 42')
  await page.locator('.document-text').getByRole('columnheader', { name: 'Material' }).waitFor()
  await expect
    .poll(() => page.locator('.document-text mark').allInnerTexts())
    .toEqual(['Part 42', 'steel', '$1,051.50', 'no'])

  const tool = { name: 'Parts', knowledge_source_ids: [source] }
  const { id } = (await service.post('/retrieval-tools', tool)).body.data
  await goTo(`/tools/retrieval/${id}`)
  await page.getByRole('checkbox', { name: 'Query tables' }).check()
  await page.getByRole('button', { name: 'Save' }).click()
  const sql = page.getByRole('textbox', { name: 'SQL' })
  await page.getByRole('combobox', { name: 'Table' }).selectOption({ index: 1 })
  const [, name] = /FROM (\w+)/.exec(await sql.inputValue()) ?? []
  await sql.fill(`SELECT material, count(*) AS parts FROM ${name} GROUP BY material HAVING material = 'brass'`)
  await page.getByRole('button', { name: 'Run' }).click()
  await page.getByRole('region', { name: 'Result' }).getByText('30', { exact: true }).waitFor()
  await page.getByText('From 30 rows: 1, 3, 5').waitFor()
  await sql.fill(`DELETE FROM ${name}`)
  await page.getByRole('button', { name: 'Run' }).click()
  await page.getByText('Only reading is allowed').waitFor()

  const agent = (await service.post('/agents', { name: 'Counter', tools: [id] })).body.data.id
  const conversation = (await service.post('/conversations', { agent_id: agent })).body.data.id
  const asked = { message: 'How many parts are there for each material?' }
  expect((await service.post(`/conversations/${conversation}/messages`, asked)).body.data.tool_calls).toHaveLength(2)
  await goTo(`/conversations/${conversation}`)
  const [found, counted] = [page.locator('.step').first(), page.locator('.step').last()]
  await found.locator('summary').click()
  await found.getByRole('region', { name: 'parts' }).getByText('Part 1', { exact: true }).waitFor()
  await counted.locator('summary').click()
  await expect
    .poll(() => counted.getByRole('region', { name: 'Result' }).getByText('30', { exact: true }).count())
    .toBe(2)
  expect(problems.filter((problem) => !problem.includes('400'))).toEqual([])
})
