package dev.abacus.deploy.simulator;

import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.ToIntFunction;

/**
 * Models OpenAI's prompt cache, as "Prompt caching" of its guides describes it: the beginning of a
 * prompt of 1,024 tokens or more that was seen in the last ten minutes is billed as cached, in
 * steps of 128 tokens. The response schema is the beginning of a prompt, so prompts with different
 * schemas share nothing. Calls with equal first 256 tokens and equal {@code prompt_cache_key} go to
 * the same machine, and to a further one for each 15 of them in a minute; machines share nothing
 * either. A beginning is in the cache once a call has read its prompt, so calls that start together
 * find nothing of each other.
 *
 * <p>Beginnings are compared in steps of 64 characters, behind 16,384 characters of 512. The cache
 * keeps the 300,000 most recent ones. Caches are cleared after 5 to 10 minutes without use; here it
 * is always ten.
 */
final class PromptCache {

  private static final int SHORT_STEP = 64;
  private static final int LONG_STEP = 512;
  private static final int SHORT_STEPS_UNTIL = 16_384;
  private static final int ROUTED_CHARACTERS = 1_024;
  private static final int CALLS_PER_MACHINE = 15;
  private static final int LEAST_TOKENS = 1024;
  private static final int TOKEN_STEP = 128;
  private static final int REMEMBERED = 300_000;
  private static final int ROUTES = 10_000;
  private static final long LIFETIME_MILLIS = Duration.ofMinutes(10).toMillis();
  private static final long MINUTE_MILLIS = 60_000;

  private final InstantSource clock;
  private final ToIntFunction<String> tokenizer;

  /**
   * A beginning.
   *
   * @param read when a call has read it first, in epoch milliseconds
   * @param used the time of its last use
   */
  private record Entry(long read, long used) {}

  private final Map<Long, Entry> seen = latest(REMEMBERED);

  /** The times of the calls of the last minute, by what routes them. */
  private final Map<Long, ArrayDeque<Long>> routes = latest(ROUTES);

  private long calls;

  PromptCache(InstantSource clock, ToIntFunction<String> tokenizer) {
    this.clock = clock;
    this.tokenizer = tokenizer;
  }

  private static <V> Map<Long, V> latest(int most) {
    return new LinkedHashMap<>(16, 0.75f, true) {
      @Override
      protected boolean removeEldestEntry(Map.Entry<Long, V> eldest) {
        return size() > most;
      }
    };
  }

  /**
   * A prompt.
   *
   * @param key value of {@code prompt_cache_key}; empty if there is none
   * @param schema the response schema; empty if there is none
   * @param messages the texts of all messages
   * @param tokens of schema and messages
   */
  record Prompt(String model, String key, String schema, String messages, int tokens) {}

  /**
   * Number of cached tokens at the beginning of a prompt; adds the prompt to the cache.
   *
   * @param reading time until the model has read the prompt
   */
  int cachedTokens(Prompt prompt, Duration reading) {
    if (prompt.tokens() < LEAST_TOKENS) {
      return 0;
    }
    String text = prompt.schema() + prompt.messages();
    int known = known(prompt, text, reading);
    if (known == 0) {
      return 0;
    }
    int tokens = Math.min(prompt.tokens(), tokenizer.applyAsInt(text.substring(0, known)));
    int cached = tokens / TOKEN_STEP * TOKEN_STEP;
    return cached >= LEAST_TOKENS ? cached : 0;
  }

  private int known(Prompt prompt, String text, Duration reading) {
    long now = clock.millis();
    int known = 0;
    synchronized (seen) {
      long hash = machine(prompt, text, now);
      for (int start = 0, end = SHORT_STEP; end <= text.length(); ) {
        hash = hash(hash, text, start, end);
        Entry last = seen.get(hash);
        boolean alive = last != null && now - last.used() <= LIFETIME_MILLIS;
        long read = last != null && alive ? last.read() : now + reading.toMillis();
        if (alive && read <= now && known == start) {
          known = end;
        }
        seen.put(hash, new Entry(read, now));
        start = end;
        end += end < SHORT_STEPS_UNTIL ? SHORT_STEP : LONG_STEP;
      }
    }
    return known;
  }

  /** The machine that a prompt is routed to. */
  private long machine(Prompt prompt, String text, long now) {
    long route =
        hash(
            31L * prompt.model().hashCode() + prompt.key().hashCode(),
            text,
            0,
            Math.min(ROUTED_CHARACTERS, text.length()));
    ArrayDeque<Long> minute = routes.computeIfAbsent(route, _ -> new ArrayDeque<>());
    while (!minute.isEmpty() && now - minute.getFirst() > MINUTE_MILLIS) {
      minute.removeFirst();
    }
    minute.addLast(now);
    long machines = (minute.size() + CALLS_PER_MACHINE - 1L) / CALLS_PER_MACHINE;
    return route * 31 + calls++ % machines;
  }

  private static long hash(long before, String text, int from, int to) {
    long hash = before;
    for (int i = from; i < to; i++) {
      hash = hash * 0x100000001B3L + text.charAt(i);
    }
    return hash;
  }
}
