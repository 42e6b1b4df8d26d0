import type { Workspace } from './console.ts'

type Row = Record<string, unknown> & { id: string }

/** Adds question and reply pairs to a conversation that has one, far faster than by chatting. */
export async function lengthen(
  { ctx: { db } }: Pick<Workspace, 'ctx'>,
  conversation: string,
  pairs: number,
  text: (n: number) => { question: string; answer: string },
): Promise<void> {
  const [question, reply] = (await db
    .selectFrom('message')
    .selectAll()
    .where('conversation_id', '=', conversation)
    .orderBy('id')
    .execute()) as unknown as [Row, Row]
  const more: Row[] = []
  for (let n = 1; n <= pairs; n++) {
    const next = `msg_01zzzz${String(n).padStart(4, '0')}`
    const parent_id = more.at(-1)?.id ?? reply.id
    more.push({ ...question, id: `${next}a`, parent_id, content: text(n).question })
    more.push({ ...reply, id: `${next}b`, parent_id: `${next}a`, content: text(n).answer, events: '[]' })
  }
  for (let at = 0; at < more.length; at += 100)
    await db
      .insertInto('message')
      .values(more.slice(at, at + 100) as never)
      .execute()
  const last_message_id = more.at(-1)?.id ?? reply.id
  await db.updateTable('conversation').set({ last_message_id }).where('id', '=', conversation).execute()
}
