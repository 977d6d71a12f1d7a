package dev.abacus.deploy.simulator.tokens;

import com.knuddels.jtokkit.Encodings;
import com.knuddels.jtokkit.api.Encoding;
import com.knuddels.jtokkit.api.EncodingType;
import com.knuddels.jtokkit.api.IntArrayList;
import dev.abacus.deploy.simulator.skill.KeyedRandom;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Counts tokens with the encoding of GPT-4o (o200k), for all models alike. Counts of long texts are
 * remembered by content, because the operators that are compared send the same contract again and
 * again.
 */
public final class Tokenizer {

  private static final int REMEMBERED_LENGTH = 2000;
  private static final int REMEMBERED_TEXTS = 20_000;

  private final Map<Long, Integer> counts =
      new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, Integer> eldest) {
          return size() > REMEMBERED_TEXTS;
        }
      };

  /** The encoding is immutable and costs tens of megabytes: one per process. */
  private static final class Shared {
    static final Encoding ENCODING =
        Encodings.newLazyEncodingRegistry().getEncoding(EncodingType.O200K_BASE);
  }

  /** Number of tokens of a text. */
  public int count(String text) {
    if (text.length() < REMEMBERED_LENGTH) {
      return Shared.ENCODING.countTokensOrdinary(text);
    }
    long key = KeyedRandom.hash(text);
    synchronized (counts) {
      Integer known = counts.get(key);
      if (known != null) {
        return known;
      }
    }
    int count = Shared.ENCODING.countTokensOrdinary(text);
    synchronized (counts) {
      counts.put(key, count);
    }
    return count;
  }

  /** The bytes of each token of a text (a character beyond ASCII may be spread over several). */
  public List<byte[]> tokens(String text) {
    IntArrayList ids = Shared.ENCODING.encodeOrdinary(text);
    List<byte[]> tokens = new ArrayList<>(ids.size());
    for (int i = 0; i < ids.size(); i++) {
      IntArrayList one = new IntArrayList(1);
      one.add(ids.get(i));
      tokens.add(Shared.ENCODING.decodeBytes(one));
    }
    return tokens;
  }

  /** The longest beginning of a text that has no more than that many tokens. */
  public String truncate(String text, int limit) {
    StringBuilder out = new StringBuilder();
    List<byte[]> tokens = tokens(text);
    for (byte[] token : tokens.subList(0, Math.min(limit, tokens.size()))) {
      out.append(new String(token, StandardCharsets.UTF_8));
    }
    return out.toString();
  }
}
