package dev.abacus.topology.model.token;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.abacus.schemas.catalogue.ModelCard;
import dev.abacus.topology.model.Content;
import dev.abacus.topology.model.ModelAnswer;
import dev.abacus.topology.model.ModelRequest;

/**
 * Counts the tokens at the beginning of a prompt that prompts about other documents share: response
 * schema and system message, which are equal for all documents of an operator, and as much of the
 * user message as a prompt about another document had too.
 *
 * <p>A provider reports the tokens of the whole prompt; those of the user message are counted, and
 * the rest is what stands before it, however the provider writes schema and roles. Texts are
 * compared in blocks of {@value #BLOCK} characters; the latest {@value #MOST} blocks are in memory.
 * Thread-safe.
 */
public final class SharedPrefixes {

  private static final int BLOCK = 128;
  private static final int MOST = 100_000;

  /** The document of a block that several have; no document has this id. */
  private static final String SEVERAL = "";

  private final TokenCounter counter;

  /** The document whose prompt had a beginning, by its hash. */
  private final Cache<Long, String> documents = Caffeine.newBuilder().maximumSize(MOST).build();

  /** No prompt is known yet. */
  public SharedPrefixes(TokenCounter counter) {
    this.counter = counter;
  }

  /**
   * The tokens of an answered request that providers cache for other documents.
   *
   * @param document id of the document
   * @param documentsPerCall number of documents that share the call, of whose tokens the answer has
   *     its part; 1 for a call of its own
   */
  public long tokens(
      ModelRequest request, ModelAnswer.Success answer, String document, int documentsPerCall) {
    ModelCard card = counter.catalogue().find(request.model());
    if (card == null) {
      return 0;
    }
    TokenCount all = counter.count(request);
    TokenCount user = counter.ofContent(request);
    long instruction;
    if (answer.attempts() > 1) {
      instruction = all.tokens() - user.tokens();
    } else if (user.isExact()) {
      instruction = answer.tokens().input() - user.tokens();
    } else {
      double share = (double) user.tokens() / Math.max(1, all.tokens());
      instruction = Math.round(answer.tokens().input() * (1 - share));
    }
    long before = Math.max(0, instruction) * documentsPerCall + ofUser(request, user, document);
    return card.cached(before) / documentsPerCall;
  }

  /** The tokens at the beginning of the user message that another document shares. */
  private long ofUser(ModelRequest request, TokenCount user, String document) {
    if (!(request.content().getFirst() instanceof Content.Text(String text))) {
      return 0;
    }
    long hash = 31L * request.model().hashCode() + request.system().hashCode();
    int shared = 0;
    for (int end = BLOCK; end <= text.length(); end += BLOCK) {
      for (int i = end - BLOCK; i < end; i++) {
        hash = hash * 0x100000001B3L + text.charAt(i);
      }
      String before = documents.asMap().putIfAbsent(hash, document);
      if (before != null && !before.equals(document)) {
        documents.put(hash, SEVERAL);
        shared = shared == end - BLOCK ? end : shared;
      }
    }
    return shared == 0 ? 0 : user.tokens() * shared / text.length();
  }
}
