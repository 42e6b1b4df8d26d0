import { expect, it } from 'vitest'
import { compareMessages, type StoredMessage } from './audit.ts'
import { compareLedger, type LedgerRow } from './audit-ledger.ts'
import { nothingAcknowledged } from './load.ts'
import type { CountedCall } from './provider.ts'

const message = (id: string, more: Partial<StoredMessage> = {}): StoredMessage => ({
  id,
  conversation_id: 'c',
  role: 'assistant',
  content: 'Yes',
  status: 'completed',
  superseded: false,
  ...more,
})
const question = message('1', { role: 'user', content: '#whole-1' })

const countFaults = (messages: StoredMessage[]) => {
  const acknowledged = nothingAcknowledged()
  acknowledged.sent.add('#whole-1')
  acknowledged.questions.set('#whole-1', { conversation: 'c' })
  acknowledged.replies.set('2', { marker: '#whole-1', conversation: 'c', status: 'completed', content: 'Yes' })
  return compareMessages(messages, acknowledged).map(({ faults }) => faults.length)
}

it('finds lost, doubled and endless messages', () => {
  expect(countFaults([question, message('2')])).toEqual([0, 0, 0])
  expect(countFaults([])).toEqual([2, 0, 0])
  expect(countFaults([question, message('2', { content: 'Ye' })])).toEqual([1, 0, 0])
  expect(countFaults([question, message('2'), message('3')])).toEqual([0, 1, 0])
  expect(countFaults([question, message('2'), message('3', { superseded: true })])).toEqual([0, 0, 0])
  expect(countFaults([question, message('2'), { ...question, id: '3' }])).toEqual([0, 1, 0])
  expect(countFaults([question, message('2', { status: 'running' })])).toEqual([1, 0, 1])
})

const call = (marker: string, input = 100): CountedCall => ({ marker, input, output: 1 })
const row = (more: Partial<LedgerRow> = {}): LedgerRow => ({
  id: 'use',
  message_id: '2',
  tool_id: null,
  evaluation_id: null,
  input_tokens: 100,
  output_tokens: 1,
  estimated: false,
  marker: '#whole-1',
  status: 'completed',
  ...more,
})
const estimate = row({ input_tokens: 7, estimated: true })

it('finds calls without a row and rows without a call', () => {
  const compared = (rows: LedgerRow[], calls: CountedCall[]) => {
    const { wrong, missing } = compareLedger(rows, calls, 'rag')
    return [wrong.length, missing.length]
  }
  expect(compared([row()], [call('#whole-1')])).toEqual([0, 0])
  expect(compared([estimate], [call('#whole-1')])).toEqual([0, 0])
  expect(compared([row(), estimate], [call('#whole-1'), call('#whole-1', 101)])).toEqual([0, 0])
  expect(compared([], [call('#whole-1')])).toEqual([0, 1])
  expect(compared([], [call('#chat-1')])).toEqual([0, 1])
  expect(compared([], [call('#case-1')])).toEqual([0, 0])
  expect(compared([row()], [])).toEqual([2, 0])
  expect(compared([row(), row()], [call('#whole-1')])).toEqual([2, 0])
  expect(compared([row(), estimate], [call('#whole-1')])).toEqual([1, 0])
  expect(compared([row(), { ...estimate, status: 'interrupted' }], [call('#whole-1')])).toEqual([0, 0])
  expect(compared([{ ...estimate, message_id: null, tool_id: 'rag' }], [call('#answer-1')])).toEqual([0, 0])
  expect(compared([{ ...estimate, message_id: null }], [])).toEqual([1, 0])
})
