import { expect, it } from 'vitest'
import { workspace } from './console.ts'

const rule = { path: 'hr/**', metadata: { area: 'hr' }, access: { groups: ['hr'], users: [] } }

it('shows validation errors at the fields of their paths, and keeps invalid JSON from being saved', async () => {
  const { open, post, get } = await workspace()
  const source = {
    name: 'Docs',
    type: 'web',
    configuration: { urls: ['https://docs.example.com/'] },
    access_rules: [rule],
  }
  const { id } = (await post('/knowledge-sources', source)).body.data
  const { page } = await open(`/knowledge/${id}?tab=settings`)
  const save = page.getByRole('button', { name: 'Save' })
  const metadata = page.getByRole('group', { name: 'Rule 1' }).getByLabel('Metadata')

  await page.getByLabel('Max depth').fill('99')
  await save.click()
  await expect.poll(() => page.getByLabel('Max depth').getAttribute('aria-invalid')).toBe('true')
  await page.getByLabel('Max depth').fill('')

  await metadata.fill('{"area":')
  await page.getByText('Fix the invalid fields above to save.').waitFor()
  await expect.poll(() => save.isDisabled()).toBe(true)
  await page.getByRole('button', { name: 'Discard' }).click()
  await page.getByText('No unsaved changes').waitFor()
  expect(JSON.parse(await metadata.inputValue())).toEqual(rule.metadata)

  await metadata.fill('{"area":')
  await page.getByRole('button', { name: 'Remove rule 1' }).click()
  await page.getByLabel('URLs').fill('https://docs.example.com/\n https://example.com/ \n')
  await page.getByText('Unsaved changes: configuration, access rules').waitFor()
  await save.click()
  await page.getByText('Docs saved').waitFor()
  expect((await get(`/knowledge-sources/${id}`)).body.data).toMatchObject({
    configuration: { urls: ['https://docs.example.com/', 'https://example.com/'] },
    access_rules: [],
  })
})

it('asks for valid JSON in the setup of an evaluation', async () => {
  const { open, post } = await workspace()
  const target_id = (await post('/agents', { name: 'Ada' })).body.data.id
  const { id } = (
    await post('/evaluations', {
      name: 'Greetings',
      type: 'agent',
      target_id,
      test_cases: [{ input: 'Hello' }],
      scorers: [{ type: 'tool_called', config: { arguments: { city: 'Oslo' } } }],
    })
  ).body.data
  const { page, problems } = await open(`/evaluations/${id}?tab=setup`)
  await page.getByLabel('Arguments').fill('{"city":')
  await page.getByText('Fix the invalid fields above to save.').waitFor()
  await page.getByRole('button', { name: 'Discard' }).click()
  await expect.poll(async () => JSON.parse(await page.getByLabel('Arguments').inputValue())).toEqual({ city: 'Oslo' })
  expect(problems).toEqual([])
})

it('a toast does not cover the buttons of a dialog on a phone', async () => {
  const { open } = await workspace()
  const { page } = await open('/models', { viewport: { width: 390, height: 844 } })
  await page.getByRole('button', { name: 'Test' }).first().click()
  const toast = page.locator('.toast')
  await toast.waitFor()
  await page.getByRole('button', { name: 'Connect a model' }).click()
  const connect = page.getByRole('dialog').getByRole('button', { name: 'Connect', exact: true })
  await connect.waitFor()
  const overlaps = async () => {
    const [below, above] = [await connect.boundingBox(), await toast.boundingBox()]
    return below !== null && above !== null && above.y + above.height > below.y
  }
  await expect.poll(overlaps).toBe(false)
})
