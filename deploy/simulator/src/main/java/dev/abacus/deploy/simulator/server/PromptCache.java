package dev.abacus.deploy.simulator.server;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Models OpenAI's prompt cache: a prefix of 1,024 tokens or more that was seen before is billed as
 * cached. Prefixes are compared in steps of 1,024 characters and counted in steps of 128 tokens.
 * The cache keeps the 50,000 most recent prefixes.
 */
final class PromptCache {

  private static final int STEP = 1024;
  private static final int LEAST_TOKENS = 1024;
  private static final int TOKEN_STEP = 128;
  private static final int REMEMBERED = 50_000;

  private final Map<Long, Boolean> seen =
      new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, Boolean> eldest) {
          return size() > REMEMBERED;
        }
      };

  /** Number of cached tokens at the beginning of a prompt; adds the prompt to the cache. */
  int cachedTokens(String model, String prompt, int tokens) {
    if (tokens < LEAST_TOKENS) {
      return 0;
    }
    int known = 0;
    long hash = model.hashCode();
    synchronized (seen) {
      for (int end = STEP; end <= prompt.length(); end += STEP) {
        for (int i = end - STEP; i < end; i++) {
          hash = hash * 0x100000001B3L + prompt.charAt(i);
        }
        boolean hit = seen.put(hash, true) != null;
        known = hit && known == end - STEP ? end : known;
      }
    }
    long share = (long) tokens * known / prompt.length();
    int cached = (int) share / TOKEN_STEP * TOKEN_STEP;
    return cached >= LEAST_TOKENS ? cached : 0;
  }
}
