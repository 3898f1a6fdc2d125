/** What a cluster of Forebay does when nodes die, stop and come: three nodes as processes over one folder, and a probe that asks every partition all the time. */
@NullMarked
package io.forebay.bench.cluster;

import org.jspecify.annotations.NullMarked;
