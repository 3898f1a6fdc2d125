package io.forebay.kafka.groups;

import io.forebay.broker.Broker;
import io.forebay.kafka.api.ApiHandler;
import io.forebay.kafka.api.Exchange;
import io.forebay.model.When;
import java.util.List;
import org.apache.kafka.common.message.LeaveGroupRequestData;
import org.apache.kafka.common.message.LeaveGroupRequestData.MemberIdentity;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Readable;
import org.apache.kafka.common.requests.LeaveGroupResponse;

/** Members leave a classic group: one in old versions, several in new ones. */
public final class LeaveGroupHandler implements ApiHandler<LeaveGroupRequestData> {

    private static final int FIRST_WITH_MEMBERS = 3;

    private final Broker broker;

    public LeaveGroupHandler(Broker broker) {
        this.broker = broker;
    }

    @Override
    public ApiKeys api() {
        return ApiKeys.LEAVE_GROUP;
    }

    @Override
    public LeaveGroupRequestData read(Readable body, short version) {
        return new LeaveGroupRequestData(body, version);
    }

    @Override
    public void handle(LeaveGroupRequestData request, Exchange exchange) {
        short version = exchange.version();
        LeaveGroupRequestData members = version >= FIRST_WITH_MEMBERS
                ? request
                : new LeaveGroupRequestData()
                        .setGroupId(request.groupId())
                        .setMembers(List.of(new MemberIdentity().setMemberId(request.memberId())));
        When.done(broker.groups().leaveGroup(GroupCaller.of(exchange), members), (left, failure) -> {
            if (failure == null) {
                exchange.answer(new LeaveGroupResponse(left, version).data());
            } else {
                exchange.fail(failure);
            }
        });
    }
}
