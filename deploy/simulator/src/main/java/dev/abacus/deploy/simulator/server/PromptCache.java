package dev.abacus.deploy.simulator.server;

import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Models OpenAI's prompt cache: a prefix of 1,024 tokens or more that was seen in the last ten
 * minutes is billed as cached. The response schema is the beginning of a prompt, so prompts with
 * different schemas share no prefix. Prefixes are compared in steps of 512 characters and counted
 * in steps of 128 tokens. The cache keeps the 100,000 most recent prefixes.
 *
 * <p>OpenAI: "Prompt caching" of its guides; caches are cleared after 5 to 10 minutes without use.
 */
final class PromptCache {

  private static final int STEP = 512;
  private static final int LEAST_TOKENS = 1024;
  private static final int TOKEN_STEP = 128;
  private static final int REMEMBERED = 100_000;
  private static final long LIFETIME_MILLIS = Duration.ofMinutes(10).toMillis();

  private final InstantSource clock;

  /** The time of the last use of a prefix, in epoch milliseconds. */
  private final Map<Long, Long> seen =
      new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, Long> eldest) {
          return size() > REMEMBERED;
        }
      };

  PromptCache(InstantSource clock) {
    this.clock = clock;
  }

  /**
   * Number of cached tokens at the beginning of a prompt; adds the prompt to the cache.
   *
   * @param schema the response schema; empty if there is none
   * @param messages the texts of all messages
   * @param tokens of schema and messages
   */
  int cachedTokens(String model, String schema, String messages, int tokens) {
    if (tokens < LEAST_TOKENS) {
      return 0;
    }
    String prompt = schema + messages;
    long now = clock.millis();
    int known = 0;
    long hash = model.hashCode();
    synchronized (seen) {
      for (int end = STEP; end <= prompt.length(); end += STEP) {
        for (int i = end - STEP; i < end; i++) {
          hash = hash * 0x100000001B3L + prompt.charAt(i);
        }
        Long last = seen.put(hash, now);
        boolean hit = last != null && now - last <= LIFETIME_MILLIS;
        known = hit && known == end - STEP ? end : known;
      }
    }
    long share = (long) tokens * known / prompt.length();
    int cached = (int) share / TOKEN_STEP * TOKEN_STEP;
    return cached >= LEAST_TOKENS ? cached : 0;
  }
}
