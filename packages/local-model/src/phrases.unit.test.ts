import { expect, it } from 'vitest'
import { answerFrom } from './answer.ts'
import { phrases } from './phrases.ts'

it.each([
  ['How much does it cost?', 'Closest'],
  ['Wie viel kostet das Buch?', 'nächsten'],
  ['Où se trouve la gare ?', 'proches'],
  ['¿Cuánto cuesta una licencia?', 'cercanos'],
  ['Quanto costa una licenza di prova?', 'vicini'],
  ['Quanto custa uma licença para você?', 'próximos'],
  ['Hoeveel kost een licentie van het boek?', 'dichtst'],
  ['Vad kostar en licens för boken?', 'Närmaste'],
  ['Hvad koster en licens til bogen?', 'Nærmeste afsnit'],
  ['Hva koster en lisens, og hvor får jeg den?', 'Nærmeste avsnitt'],
  ['Kuinka paljon lisenssi maksaa?', 'Lähimmät'],
  ['Сколько стоит лицензия на книгу?', 'Ближайшие'],
  ['Cât costă o licență pentru carte?', 'apropiate'],
  ['Mennyibe kerül egy licenc?', 'legközelebbi'],
  ['Bir lisans ne kadar?', 'yakın'],
  ['ライセンスはいくらですか？', '最も近い'],
  ['라이선스는 얼마인가요?', '가까운'],
  ['许可证多少钱？', '最接近'],
  ['كم تكلفة الترخيص؟', 'أقرب'],
  ['42?', 'Closest'],
])('the words before a quotation are in the language of the question: %s', (question, words) => {
  expect(phrases(question).closest).toContain(words)
})

it('documents in another language do not change the language of a reply', async () => {
  const { text } = await answerFrom('¿Cuánto cuesta una licencia?', [
    { content: 'The lamp is red and warm.', score: 0.2 },
  ])
  expect(text).toMatch(/^Pasajes más cercanos:/)
})
