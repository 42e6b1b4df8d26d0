import { describe, expect, it, vi } from 'vitest'
import { evaluating } from '../../../../test/evaluating.ts'
import { stage } from '../../../../test/stage.ts'

vi.setConfig({ testTimeout: 300_000 }) // on machines that may be busy

const start = async () => {
  const staged = await stage({ deltas: ['Paris'] })
  const id = await evaluating(staged).create({
    type: 'agent',
    target_id: staged.agent,
    test_cases: [{ input: 'First' }],
  })
  const cases = async () => (await staged.get(`/evaluations/${id}`)).body.data.test_cases
  const send = (body: object, query = '') => staged.post(`/evaluations/${id}/test-cases/import${query}`, body)
  return { ...staged, id, cases, send }
}

describe('importing test cases', () => {
  it('from CSV with any delimiter and line ending', async () => {
    const { send, cases } = await start()
    const content =
      '\ufeffinput,expected_output,metadata,topic\r\n"What, is ""it""?",42,"{""level"": 2}",maths\r\n\r\n"Two\nlines",,,\r\n'
    const { status, body } = await send({ format: 'csv', content })
    expect([status, body.data]).toEqual([200, { imported: 2, test_case_count: 3 }])
    expect(await cases()).toEqual([
      { input: 'First', expected_output: null, metadata: {} },
      { input: 'What, is "it"?', expected_output: '42', metadata: { level: 2, topic: 'maths' } },
      { input: 'Two\nlines', expected_output: null, metadata: {} },
    ])
    await send({ format: 'csv', content: 'expected_output;input\nb;a\n' }, '?mode=replace')
    expect(await cases()).toEqual([{ input: 'a', expected_output: 'b', metadata: {} }])
    await send({ format: 'csv', content: 'input\texpected_output\n=x\ty' })
    expect((await cases())[1]).toEqual({ input: '=x', expected_output: 'y', metadata: {} })
  })

  it('from JSON Lines, and from files as the request body', async () => {
    const { ask, id, send, cases } = await start()
    const content = '{"input":"a","expected_output":"b","metadata":{"deep":[1,{"x":null}]}}\n\n{"input":"c"}\n'
    expect((await send({ format: 'jsonl', content })).body.data).toEqual({ imported: 2, test_case_count: 3 })
    const path = `/evaluations/${id}/test-cases/import?mode=replace`
    for (const type of ['application/x-ndjson', 'application/jsonl']) {
      const sent = await ask('POST', path, { raw: content, headers: { 'content-type': type } })
      expect([sent.status, sent.body.data]).toEqual([200, { imported: 2, test_case_count: 2 }])
    }
    const csv = { raw: 'input\nd\n', headers: { 'content-type': 'text/csv; charset=utf-8', 'idempotency-key': 'once' } }
    expect((await ask('POST', path, csv)).body.data).toEqual({ imported: 1, test_case_count: 1 })
    const again = await ask('POST', path, csv)
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(await cases()).toEqual([{ input: 'd', expected_output: null, metadata: {} }])
    const other = await ask('POST', path, { raw: '<a/>', headers: { 'content-type': 'text/xml' } })
    expect([other.status, other.body.code]).toEqual([415, 'unsupported_media_type'])
    const elsewhere = await ask('POST', '/evaluations', { raw: 'a,b', headers: { 'content-type': 'text/csv' } })
    expect(elsewhere.status).toBe(415)
  })

  it('names the invalid row and imports nothing', async () => {
    const { send, cases, put, id } = await start()
    const wrong: [object, string][] = [
      [{ format: 'csv', content: 'question,answer\na,b\n' }, '"input"'],
      [{ format: 'csv', content: 'input,input\na,b\n' }, 'twice'],
      [{ format: 'csv', content: `input${',a'.repeat(150_000)}\nx` }, '150001 columns; at most 203'],
      [{ format: 'csv', content: 'input\n' }, 'no test cases'],
      [{ format: 'csv', content: ' ' }, '"input"'],
      [{ format: 'csv', content: 'input,expected_output\na\n' }, 'CSV'],
      [{ format: 'csv', content: 'input\n"never closed\n' }, 'CSV'],
      [{ format: 'csv', content: 'input,metadata\nok,\nbad,[1]\n' }, 'row 3: metadata'],
      [{ format: 'csv', content: 'input,metadata\nok,{\n' }, 'row 2: metadata'],
      [{ format: 'csv', content: `input\n${'x'.repeat(100_001)}\n` }, 'row 2: input is longer'],
      [{ format: 'csv', content: `input\n${'x\n'.repeat(10_001)}` }, 'more than 10000'],
      [{ format: 'csv', content: `input\n${'x\n'.repeat(10_000)}` }, 'maximum is 10000'],
      [{ format: 'jsonl', content: '{"input":"a"}\nnonsense' }, 'row 2: is not JSON'],
      [{ format: 'jsonl', content: '\n'.repeat(1_000_000) }, 'no test cases'],
      [{ format: 'jsonl', content: '[]' }, 'row 1: is not a JSON object'],
      [{ format: 'jsonl', content: '{"input":1}' }, 'row 1: input'],
      [{ format: 'jsonl', content: '{"input":""}' }, 'row 1: input is empty'],
      [{ format: 'jsonl', content: '{"input":"a","expected":"b"}' }, '"expected" is not a known field'],
      [{ format: 'jsonl', content: '{"input":"a\\u0000"}' }, 'NUL'],
      [{ format: 'jsonl', content: '{"input":"a","metadata":[]}' }, 'row 1: metadata'],
      [{ format: 'xml', content: 'x' }, 'format'],
    ]
    for (const [body, words] of wrong) {
      const answer = await send(body)
      expect([answer.status, answer.body.error]).toEqual([400, expect.stringContaining(words)])
    }
    await put(`/evaluations/${id}`, { scorers: [{ type: 'regex' }] })
    const pattern = await send({ format: 'jsonl', content: '{"input":"a","expected_output":"("}' })
    expect(pattern.body.details[0].path).toBe('content[0].expected_output')
    expect(await cases()).toHaveLength(1)
  })

  it('rejects metadata that could not be written back', async () => {
    const { send, cases, put, get, id } = await start()
    const labelled = (metadata: string) => ({ format: 'jsonl', content: `{"input":"x","metadata":${metadata}}` })
    const refused = [
      { format: 'csv', content: 'input,__proto__\na,x\n' },
      { format: 'csv', content: 'input,metadata\na,"{""__proto__"":{""a"":1}}"\n' },
      labelled('{"__proto__":{"x":1}}'),
      labelled('{"constructor":{"prototype":1}}'),
      labelled('{"a":"\\u0000"}'),
      labelled(`{"a":${'['.repeat(200)}${']'.repeat(200)}}`),
      labelled(JSON.stringify(Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`k${at}`, 1])))),
    ]
    for (const body of refused) {
      const answer = await send(body)
      expect([answer.status, answer.body.error]).toEqual([
        400,
        expect.stringMatching(/^content.*row 1|^content.*row 2/),
      ])
    }
    await send({ format: 'csv', content: 'input,constructor\na,y\n' }, '?mode=replace')
    expect((await cases())[0].metadata).toEqual({ constructor: 'y' })
    const { body } = await get(`/evaluations/${id}`)
    expect((await put(`/evaluations/${id}`, body.data)).status).toBe(200)
    expect(({} as { x?: unknown }).x).toBeUndefined()
  })

  it('from a message: the question with the reply or a better one', async () => {
    const { post, cases, id, talk, say } = await start()
    const conversation = await talk()
    const reply = (await say(conversation, 'Capital of France?')).body.data.id
    const path = `/evaluations/${id}/test-cases/from-message`
    const added = await post(path, { conversation_id: conversation, message_id: reply })
    expect(added.status).toBe(201)
    expect(added.body.data).toMatchObject({
      case: 1,
      input: 'Capital of France?',
      expected_output: 'Paris',
      test_case_count: 2,
    })
    const better = { expected_output: 'It is Paris.', metadata: { why: 'clearer' } }
    await post(path, { conversation_id: conversation, message_id: reply, ...better })
    expect((await cases())[2]).toEqual({
      input: 'Capital of France?',
      expected_output: 'It is Paris.',
      metadata: { conversation_id: conversation, message_id: reply, why: 'clearer' },
    })
    for (const unknown of [{ message_id: 'msg_none' }, { conversation_id: 'cnv_none' }]) {
      const answer = await post(path, { conversation_id: conversation, message_id: reply, ...unknown })
      expect([answer.status, answer.body.code, answer.body.details[0].path]).toEqual([
        400,
        'unknown_reference',
        Object.keys(unknown)[0],
      ])
    }
    expect(
      (
        await post('/evaluations/evl_none/test-cases/from-message', {
          conversation_id: conversation,
          message_id: reply,
        })
      ).status,
    ).toBe(404)
  })
})
