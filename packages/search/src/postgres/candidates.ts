import type { QueryWord } from '../analysis/analyse.ts'
import { rarity, saturation } from '../ranking/bm25.ts'
import type { Candidate } from '../ranking/candidate.ts'
import { candidateCount } from '../ranking/rank.ts'
import type { SearchRequest } from '../search-index.ts'
import { type Queryable, rows } from './database.ts'
import { filterCondition, Parameters } from './fields.ts'
import type { IndexRow } from './indexes.ts'
import type { Selection } from './selection.ts'
import { addWeight, levelNumbers, sparseVector, termKey } from './terms.ts'
import { vectorText } from './vectors.ts'

export interface Limits {
  /** Up to this many passages are compared exhaustively. Beyond it, the vector index is used. */
  exact: number
  /** The same limit with filters. It is higher, because a vector index that skips most of its hits is even slower. */
  filtered: number
  /** How many passages are scored by words. */
  words: number
}

export interface PassageCandidate extends Candidate {
  id: string
  /** Only for maximal marginal relevance. */
  vector: Float32Array | null
}

export interface QueryVectors {
  static?: Float32Array
  embedding?: Float32Array
}

export interface QueryWords {
  words: readonly QueryWord[]
  /** Set if documents are selected. */
  selection: Selection | null
}

/** One search in one snapshot of the database. */
export async function retrieveCandidates(
  tx: Queryable,
  row: IndexRow,
  request: SearchRequest,
  words: QueryWords,
  vectors: QueryVectors,
  limits: Limits,
): Promise<PassageCandidate[]> {
  const allowed = await countAllowed(tx, row, request, limits)
  const isExact = allowed <= (allowed === row.passages ? limits.exact : limits.filtered)
  // Assumes that filters are as selective for passages with a word as for all passages.
  const wanted = Math.ceil((candidateCount(request) * row.passages) / Math.max(1, allowed))
  const scored = { budget: Math.max(limits.words, wanted), wanted }
  const query = request.mode === 'vector' ? null : await weighTerms(tx, row, words, scored)
  const candidates = new Set<string>()
  const add = (passages: { id: string }[]) => {
    for (const { id } of passages) candidates.add(id)
  }
  if (query) add(await byWords(tx, row, request, query, isExact, 4 * scored.budget))
  if (vectors.embedding && row.embedded > 0) add(await byEmbedding(tx, row, request, vectors.embedding, isExact))
  const unembedded = vectors.embedding ? row.passages - row.embedded : row.passages
  // The static model has no index. With too many passages, it compares only those found by words.
  const staticScans = query === null || Math.min(unembedded, allowed) <= limits.filtered
  if (vectors.static && unembedded > 0 && staticScans) add(await byStaticModel(tx, row, request, vectors))
  return compare(tx, [...candidates], request, query, vectors)
}

/** How many passages the filters allow. It stops counting when they are too many to compare all of them. */
async function countAllowed(tx: Queryable, row: IndexRow, request: SearchRequest, limits: Limits): Promise<number> {
  const parameters = new Parameters([row.id])
  const condition = filterCondition(request, parameters)
  if (row.passages <= limits.exact || condition === null) return row.passages
  const [counted] = await rows<{ count: number }>(
    tx,
    `select count(*)::integer as count from
       (select from passage p where p.index_id = $1 and ${condition} limit ${limits.filtered + 1}) as allowed`,
    parameters.values,
  )
  return counted?.count ?? 0
}

interface TermQuery {
  /** The weight of each term, as pgvector reads it. */
  weights: string
  /** The highest score that any passage could have, also by words that the index does not have. */
  maxScore: number
  /** The keys of a number of passages within the budget. */
  keys: number[]
}

/** Null if the index has none of the words. */
async function weighTerms(
  tx: Queryable,
  row: IndexRow,
  { words, selection }: QueryWords,
  scored: { budget: number; wanted: number },
): Promise<TermQuery | null> {
  const terms = words.flatMap((word) => word.terms)
  const keys = terms.flatMap((term) => levelNumbers.map((level) => termKey(row.id, term, level)))
  const frequencies = await keyFrequencies(tx, row, keys)
  const frequency = (term: number, level: number): number => frequencies.get(termKey(row.id, term, level)) ?? 0
  const known = new Set(words.filter((word) => word.terms.some((term) => frequency(term, 0) > 0)))
  if (known.size === 0) return null
  const firstKey = (term: number): number => termKey(row.id, term, 0)
  const counted = (await selection?.frequencies(terms.map(firstKey), frequencies)) ?? frequencies
  const passages = selection?.passages ?? row.passages
  const weights = new Map<number, number>()
  let maxScore = 0
  for (const word of words) {
    // A word that has several stems, one a language, is as frequent as all of them together.
    const sum = word.terms.reduce((total, term) => total + (counted.get(firstKey(term)) ?? 0), 0)
    const weight = word.weight * rarity(sum, passages)
    maxScore += weight * (saturation + 1)
    if (known.has(word)) for (const term of word.terms) addWeight(weights, term, weight)
  }
  return { weights: sparseVector(weights), maxScore, keys: chooseKeys(row, terms, frequency, scored) }
}

/** How many passages of the index have each key. */
async function keyFrequencies(tx: Queryable, { id }: IndexRow, keys: number[]): Promise<Map<number, number>> {
  const stored = await rows<{ key: number; frequency: number }>(
    tx,
    'select key, frequency from passage_key where index_id = $1 and key = any($2)',
    [id, keys],
  )
  return new Map(stored.map(({ key, frequency }) => [key, frequency]))
}

/**
 * The rarest terms first; of frequent ones only the passages in which they weigh much. A term that exceeds the budget is
 * left out, unless there would be too few candidates without it.
 */
function chooseKeys(
  row: IndexRow,
  terms: readonly number[],
  frequency: (term: number, level: number) => number,
  { budget, wanted }: { budget: number; wanted: number },
): number[] {
  const known = [...new Set(terms)].filter((term) => frequency(term, 0) > 0)
  known.sort((one, other) => frequency(one, 0) - frequency(other, 0))
  const keys: number[] = []
  let chosen = 0
  for (const term of known) {
    const used = levelNumbers.filter((level) => frequency(term, level) > 0)
    const fitting = used.find((level) => chosen + frequency(term, level) <= budget)
    if (fitting === undefined && chosen >= wanted) continue
    const level = fitting ?? used.findLast((each) => chosen + frequency(term, each) >= wanted) ?? 0
    keys.push(termKey(row.id, term, level))
    chosen += frequency(term, level)
  }
  return keys
}

/** The passages with the highest scores by words. */
function byWords(
  tx: Queryable,
  row: IndexRow,
  request: SearchRequest,
  { weights, keys }: TermQuery,
  isExact: boolean,
  maxScored: number,
): Promise<{ id: string }[]> {
  const parameters = new Parameters([row.id, weights])
  const condition = filterCondition(request, parameters)
  const allowed = condition ? `and ${condition}` : ''
  const found = isExact
    ? `passage p join passage_words w on w.passage_id = p.id where p.index_id = $1 ${allowed}`
    : `passage_words w ${condition ? 'join passage p on p.id = w.passage_id' : ''}
       where w.index_id = $1 and w.keys && ${parameters.add(keys)}::int[] ${allowed} limit ${maxScored}`
  return rows(
    tx,
    `select w.passage_id::text as id, -sum(w.weights <#> $2::sparsevec) as score
     from (select w.passage_id, w.weights from ${found}) as w
     group by w.passage_id having sum(w.weights <#> $2::sparsevec) < 0 order by score desc limit ${candidateCount(request)}`,
    parameters.values,
  )
}

function byEmbedding(
  tx: Queryable,
  row: IndexRow,
  request: SearchRequest,
  vector: Float32Array,
  isExact: boolean,
): Promise<{ id: string }[]> {
  const parameters = new Parameters([vectorText(vector)])
  const condition = filterCondition(request, parameters)
  const allowed = condition ? `and ${condition}` : ''
  const limit = candidateCount(request)
  if (isExact) {
    return rows(
      tx,
      `select p.id::text from passage p join passage_vector v on v.passage_id = p.id
       where p.index_id = ${row.id} ${allowed} order by v.vector <=> $1::halfvec limit ${limit}`,
      parameters.values,
    )
  }
  const { dimensions } = row
  return rows(
    tx,
    `select v.passage_id::text as id from passage_vector v ${condition ? 'join passage p on p.id = v.passage_id' : ''}
     where v.index_id = ${row.id} ${allowed}
     order by v.vector::halfvec(${dimensions}) <=> $1::halfvec(${dimensions}) limit ${limit}`,
    parameters.values,
  )
}

/** By the static model. If the query has a vector of the embedding model, it is needed only for passages without one. */
function byStaticModel(
  tx: Queryable,
  row: IndexRow,
  request: SearchRequest,
  vectors: QueryVectors,
): Promise<{ id: string }[]> {
  const parameters = new Parameters([row.id, vectorText(vectors.static ?? [])])
  const condition = filterCondition(request, parameters)
  const pending = vectors.embedding ? 'join passage_pending d on d.index_id = p.index_id and d.passage_id = p.id' : ''
  return rows(
    tx,
    `select p.id::text from passage p ${pending} join passage_static s on s.passage_id = p.id
     where p.index_id = $1 ${condition ? `and ${condition}` : ''} and s.vector <=> $2::halfvec < 1
     order by s.vector <=> $2::halfvec limit ${candidateCount(request)}`,
    parameters.values,
  )
}

interface ComparedRow {
  id: string
  keyword: number | null
  embedding: number | null
  static: number | null
  vector: string | null
}

/** Scores each passage by words and by the best model that has its vector, in the order in which they were added. */
async function compare(
  tx: Queryable,
  ids: string[],
  request: SearchRequest,
  query: TermQuery | null,
  vectors: QueryVectors,
): Promise<PassageCandidate[]> {
  const parameters = new Parameters([ids])
  const cosine = (table: string, vector: Float32Array | undefined) =>
    vector ? `1 - (${table}.vector <=> ${parameters.add(vectorText(vector))}::halfvec)` : 'null'
  const keyword = query
    ? `(select -sum(w.weights <#> ${parameters.add(query.weights)}::sparsevec) from passage_words w where w.passage_id = p.id)`
    : 'null'
  const vector = request.rerank === 'mmr' ? 'coalesce(v.vector::text, s.vector::text)' : 'null'
  const found = await rows<ComparedRow>(
    tx,
    `select p.id::text, ${keyword}::float8 as keyword, ${cosine('v', vectors.embedding)} as embedding,
       ${cosine('s', vectors.static)} as static, ${vector} as vector
     from unnest($1::bigint[]) as p(id) left join passage_vector v on v.passage_id = p.id
     left join passage_static s on s.passage_id = p.id order by p.id`,
    parameters.values,
  )
  return found.map((row) => ({
    id: row.id,
    keyword: query ? Math.max(0, row.keyword ?? 0) / query.maxScore : 0,
    ...bestCosine(row),
    vector: row.vector === null ? null : Float32Array.from(JSON.parse(row.vector)),
  }))
}

/** A vector of length zero has no cosine. */
function bestCosine({ embedding, static: byStatic }: ComparedRow): Pick<Candidate, 'cosine' | 'model'> {
  if (embedding !== null) return { cosine: embedding || 0, model: 'embedding' }
  return byStatic === null ? { cosine: 0, model: null } : { cosine: byStatic || 0, model: 'static' }
}

export function similarity({ vector: one }: PassageCandidate, { vector: other }: PassageCandidate): number {
  if (!one || !other || one.length !== other.length) return 0
  let sum = 0
  for (let at = 0; at < one.length; at++) sum += (one[at] as number) * (other[at] as number)
  return sum
}
