/**
 * The page that an optimizer serves: {@link dev.abacus.optimizer.page.OptimizerPage} connects
 * {@code records} (what topics say) with {@code http} (the server). {@code view} computes what the
 * page shows, {@code chart} the geometry of charts; the templates are in {@code src/main/jte}.
 */
@NullMarked
package dev.abacus.optimizer.page;

import org.jspecify.annotations.NullMarked;
